package io.tsdbsuite.bench.query;

import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.bench.query.QueryCase.Times;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code make bench-query}: what queries cost over rollups.
 *
 * <p>Question: how long does rollup-query take, and is its answer that of the raw data? Peer:
 * OpenTSDB over the same rollups, the same with split queries, and over raw data, each in a TSD of
 * its own over the same HBase. Table: a row for each query, the ways beside each other, with what
 * is missing, wrong or twice in an answer. The part {@code dashboards} asks whether queries that
 * are refused slow the others.
 */
public final class QuerySuite implements Suite {
  private static final String PERCENTILES = "percentiles";
  private static final String PACKED = "packed";
  private static final double WARM_MILLIS = 1000;
  private static final double ROUND_MILLIS = 100;

  /** Rounds of queries that take long; the others have more. */
  private static final int LEAST_ROUNDS = 3;

  private double worstRatio;
  private double slowestYear;
  private int wrong;

  /** Creates the suite. */
  public QuerySuite() {}

  @Override
  public String question() {
    return "How long do queries over rollups take, and are their answers those of the raw data?";
  }

  @Override
  public String peer() {
    return "OpenTSDB over the same rollups, with split queries, and over raw data";
  }

  /** The ranges of the queries, and the dashboards. */
  @Override
  public List<String> parts() {
    return List.of("1h", "1d", "30d", "1y", PERCENTILES, PACKED, Dashboards.PART);
  }

  @Override
  public List<String> numbers() {
    return List.of("SHARE", "SECONDS");
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    int few = (int) trial.scaled(20, 1);
    int many = (int) trial.scaled(1000, 1);
    long hour = System.currentTimeMillis() / 1000;
    Times times = new Times(hour - hour % Times.HOUR);
    // The largest query of the table has 2.9 million cells, the heavy one of the dashboards 8.8.
    long maxCells = trial.scaled(4_000_000, 1);
    try (QueryServers servers = new QueryServers(Trial.jar("rollup-query", "tsd"), maxCells)) {
      long begin = System.nanoTime();
      boolean percentiles = trial.parts().contains(PERCENTILES);
      boolean packed = trial.parts().contains(PACKED);
      boolean queries =
          trial.parts().stream()
              .anyMatch(part -> !List.of(PERCENTILES, PACKED, Dashboards.PART).contains(part));
      boolean isMany = queries || trial.parts().contains(Dashboards.PART);
      servers.load(times, few, isMany ? many : 0, percentiles, packed);
      report.fact("%.0f s to write the data", (System.nanoTime() - begin) / 1e9);
      if (queries) {
        table(report);
      }
      for (QueryCase each : QueryCase.all(times)) {
        String name = name(each, each.metric().equals(QueryCase.FEW) ? few : many);
        if (trial.parts().contains(part(each))) {
          add(report, name, each, measure(servers, times, each, trial.second(10)));
        }
      }
      if (percentiles) {
        report.table(
            "Query, 20 series | Aggregators | Stock, ms | Plugin, ms | Raw data, ms | The plugin"
                + " has read | Its cells | Compacted cells of raw data");
        for (QueryCase each : QueryCase.percentiles(times)) {
          addFurther(report, servers, each, few, measure(servers, times, each, trial.second(10)));
        }
      }
      if (packed) {
        packed(report, servers, times, trial.second(10));
      }
      if (trial.parts().contains(Dashboards.PART)) {
        // 30 s in each way, since a p99 needs more queries than a median.
        new Dashboards(servers.plugin(), times).measure(trial.second(10) / 2, report);
      }
      if (queries) {
        aims(report);
      }
    }
  }

  /** The part of a query: its range without {@code to now}. */
  static String part(QueryCase query) {
    return query.name().replace(" to now", "").replace(" ", "");
  }

  /** The name of a query in the table. */
  static String name(QueryCase query, int series) {
    return String.format(
        Locale.ROOT,
        "%s, `%s%s`, %,d series",
        query.name(),
        query.function(),
        query.filter(),
        series);
  }

  /**
   * A query in one way.
   *
   * @param millis until the last byte, the median of the rounds
   * @param read what X-Rollup-Query says; empty for other ways
   * @param difference to the right answer; empty if it is equal
   */
  record Result(double millis, String read, String difference) {}

  /** A query as it is asked in one way. */
  private record Asked(String name, QueryWay way, String request) {
    static Asked of(QueryWay way, QueryCase query) {
      return new Asked(way.name(), way, query.request(way.name()));
    }
  }

  private static Map<String, Result> measure(
      QueryServers servers, Times times, QueryCase query, double seconds)
      throws IOException, InterruptedException {
    List<Asked> asked =
        servers.ways().stream()
            .filter(way -> query.isStoredFor(way.name(), times))
            .map(way -> Asked.of(way, query))
            .toList();
    return measure(asked, query, seconds);
  }

  private static Map<String, Result> measure(List<Asked> asked, QueryCase query, double seconds)
      throws IOException, InterruptedException {
    List<QueryWay.Reply> replies = new ArrayList<>();
    List<Way<Double>> ways = new ArrayList<>();
    double spent = 0;
    for (Asked each : asked) {
      QueryWay.Reply reply = warm(each.way(), each.request());
      replies.add(reply);
      int batch = (int) Math.max(1, ROUND_MILLIS / reply.millis());
      ways.add(new Way<>(each.name(), () -> ask(each.way(), each.request(), batch)));
      spent += batch * reply.millis() / 1e3;
    }
    // Without raw data of the range all must be equal.
    int last = asked.size() - 1;
    boolean hasRaw = asked.get(last).name().equals(QueryWay.RAW);
    Answer expected = Answer.parse(replies.get(hasRaw ? last : 0).body());
    double tolerance = hasRaw && query.isOfSketches() ? Answer.SKETCH : Answer.TOLERANCE;
    int rounds = (int) Math.max(LEAST_ROUNDS, seconds / spent);
    List<Samples<Double>> samples = Samples.of(0, rounds, ways);
    Map<String, Result> results = new LinkedHashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      QueryWay.Reply reply = replies.get(i);
      results.put(
          asked.get(i).name(),
          new Result(
              samples.get(i).median(millis -> millis),
              reply.read(),
              reply.differenceFrom(expected, tolerance)));
    }
    return results;
  }

  /** A year in packed rows beside the same in plain ones, and in raw data. */
  private void packed(Report report, QueryServers servers, Times times, double seconds)
      throws IOException, InterruptedException {
    report.table(
        "Query, few series | Stock, ms | Plain rows, ms | Packed rows, ms | Raw data, ms"
            + " | Plain : packed | Raw : packed | The plugin has read | Its cells");
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (QueryCase each : QueryCase.packed(times)) {
      List<Asked> asked = new ArrayList<>();
      for (QueryWay way : servers.ways()) {
        if (!way.name().equals(QueryWay.SPLIT)) {
          asked.add(Asked.of(way, each));
        }
      }
      QueryCase packed = each.of(QueryCase.PACKED);
      asked.add(1, new Asked(PACKED, servers.plugin(), packed.request(QueryWay.PLUGIN)));
      Map<String, Result> ways = measure(asked, each, seconds);
      Result plain = Objects.requireNonNull(ways.get(QueryWay.PLUGIN));
      Result read = Objects.requireNonNull(ways.get(PACKED));
      Result raw = Objects.requireNonNull(ways.get(QueryWay.RAW));
      wrong += read.difference().isEmpty() ? 0 : 1;
      ratios.put(each.function(), raw.millis() / read.millis());
      report.row(
          "%s, `%s` | %s | %s | %s | %s | %s | %s | %s | %,d",
          each.name(),
          each.function(),
          time(ways.get(QueryWay.STOCK)),
          time(plain),
          time(read),
          time(raw),
          Report.times(plain.millis() / read.millis()),
          Report.times(raw.millis() / read.millis()),
          read.read(),
          servers.cells(packed));
    }
    report.atLeast(
        "raw data's time over that of packed rows, a year of 1d-max",
        "",
        800,
        Objects.requireNonNull(ratios.get("sum:1d-max")));
    report.atLeast(
        "raw data's time over that of packed rows, a year of 1h-avg",
        "",
        80,
        Objects.requireNonNull(ratios.get("sum:1h-avg")));
    report.atMost("answers from packed rows that differ from raw data", "", 0, wrong);
  }

  /** Asks for a second, at least three times. */
  private static QueryWay.Reply warm(QueryWay way, String query)
      throws IOException, InterruptedException {
    QueryWay.Reply reply = way.ask(query);
    double spent = 0;
    for (int asked = 0; asked < 2 || spent < WARM_MILLIS; asked++) {
      reply = way.ask(query);
      spent += reply.millis();
    }
    return reply;
  }

  private static double ask(QueryWay way, String query, int times)
      throws IOException, InterruptedException {
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      millis.add(way.ask(query).millis());
    }
    return Median.of(millis);
  }

  /** Begins the table. */
  static void table(Report report) {
    report.table(
        "Query | Stock, ms | Split, ms | Plugin, ms | Raw data, ms | Plugin : stock | The plugin"
            + " has read");
  }

  /**
   * Adds a row.
   *
   * @param ways those that were measured, by name, the plugin among them
   */
  void add(Report report, String name, QueryCase query, Map<String, Result> ways) {
    Result plugin = Objects.requireNonNull(ways.get(QueryWay.PLUGIN));
    double ratio = ratio(ways.get(QueryWay.STOCK), plugin);
    worstRatio = Math.max(worstRatio, ratio);
    wrong += plugin.difference().isEmpty() ? 0 : 1;
    if (query.isFastYear()) {
      slowestYear = Math.max(slowestYear, plugin.millis());
    }
    Function<String, String> time = way -> time(ways.get(way));
    report.row(
        "%s | %s | %s | %s",
        name,
        String.join(" | ", QueryWay.NAMES.stream().map(time).toList()),
        ratio > 0 ? String.format(Locale.ROOT, "%.2f", ratio) : "-",
        plugin.read());
  }

  private void addFurther(
      Report report, QueryServers servers, QueryCase query, int series, Map<String, Result> ways)
      throws IOException, InterruptedException {
    Result plugin = Objects.requireNonNull(ways.get(QueryWay.PLUGIN));
    wrong += plugin.difference().isEmpty() ? 0 : 1;
    report.row(
        "%s, `%s%s` | %s | %s | %s | %s | %s | %,d | %,d",
        query.name(),
        query.function(),
        query.filter(),
        query.isOfSketches() ? "sketch" : query.aggregators(),
        time(ways.get(QueryWay.STOCK)),
        time(plugin),
        time(ways.get(QueryWay.RAW)),
        plugin.read(),
        servers.cells(query),
        series * (query.to() - query.from()) / Times.HOUR);
  }

  private static String time(@Nullable Result way) {
    if (way == null) {
      return "-";
    }
    String difference = way.difference().isEmpty() ? "" : " (" + way.difference() + ")";
    return Report.tenths(way.millis()) + difference;
  }

  /** The plugin's time over stock's; 0 if an answer of them is missing or wrong. */
  private static double ratio(@Nullable Result stock, Result plugin) {
    return stock == null || !stock.difference().isEmpty() || !plugin.difference().isEmpty()
        ? 0
        : plugin.millis() / stock.millis();
  }

  /** Adds the limits. */
  void aims(Report report) {
    report.atMost("plugin's time over stock's, where stock is right", "", 1.05, worstRatio);
    if (slowestYear > 0) {
      report.atMost("a year of 1d-avg, 6h-avg and 0all-avg, 20 series", " ms", 100, slowestYear);
    }
    report.atMost("answers of the plugin that differ from raw data", "", 0, wrong);
  }
}
