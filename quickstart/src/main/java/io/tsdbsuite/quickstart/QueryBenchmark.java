package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SeriesUids;
import io.tsdbsuite.quickstart.data.SingleCellWriter;
import io.tsdbsuite.quickstart.ingest.RollupQuery;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.FurtherQueries;
import io.tsdbsuite.quickstart.query.FurtherResult;
import io.tsdbsuite.quickstart.query.Query;
import io.tsdbsuite.quickstart.query.QueryClient;
import io.tsdbsuite.quickstart.query.QueryLimits;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QueryRange;
import io.tsdbsuite.quickstart.query.QueryResult;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.QuerySpan;
import io.tsdbsuite.quickstart.query.QueryTimer;
import io.tsdbsuite.quickstart.query.ScanCost;
import io.tsdbsuite.quickstart.query.ScanCounter;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/** Runs the same queries over raw data and through rollup-query, and measures them. */
final class QueryBenchmark {
  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final int WEEK_DAYS = 7;

  /** Longer than a point takes through Kafka: a row that still grows has no answer to compare. */
  private static final int STORED = 60;

  private static final Duration COVERED = Duration.ofMinutes(2);
  private static final Map<QuerySource, String> METRICS =
      Map.of(
          QuerySource.RAW_CELLS, SingleCellWriter.METRIC,
          QuerySource.RAW_COMPACTED, RequestRate.METRIC,
          QuerySource.STOCK, RequestRate.METRIC,
          QuerySource.PLUGIN, RequestRate.METRIC);

  private final Environment run;
  private final HBaseServer hbase;
  private final QueryClient client;
  private final StorageSchema schema;
  private final Timeline window;
  private final QueryLimits limits;
  private final List<QueryRange> ranges;
  private final QueryRange cellsRange;
  private final byte[] cellsMetric;

  QueryBenchmark(Environment run, StorageSchema schema) {
    this.run = run;
    this.hbase = run.stack().hbase();
    this.client = new QueryClient(run.client(), new RollupQuery(run.tsd()), METRICS);
    this.schema = schema;
    this.window = run.window();
    this.limits = new QueryLimits(run.rate().series());
    this.ranges = QueryRange.upTo(window.days());
    this.cellsRange = longest(limits::cells);
    this.cellsMetric = assign(run.client(), SingleCellWriter.METRIC);
  }

  private QueryRange longest(Predicate<QueryRange> fits) {
    return ranges.stream().filter(fits).reduce((a, b) -> b).orElse(ranges.get(0));
  }

  /**
   * Writes data that the job must not read: as single cells, the points of the longest range that
   * the TSD can read in this way. Then each rollup table becomes one HFile, as HBase's own
   * compactions leave it.
   *
   * @param uids UIDs of the series
   * @param directory for an HFile
   */
  void prepare(SeriesUids uids, Path directory) throws IOException {
    long to = window.streamFrom();
    long cells =
        new SingleCellWriter(run.rate(), schema)
            .write(hbase, uids, cellsMetric, directory, cellsRange.from(to), to);
    run.step(
        "%,d points of the last %s again as %s, a cell per point, like without compaction; by an"
            + " HFile",
        cells, cellsRange.text(), SingleCellWriter.METRIC);
    hbase.flush(schema.dataTable());
    for (RollupInterval interval : run.rollups().intervals()) {
      hbase.majorCompact(interval.table());
    }
  }

  private static byte[] assign(TsdClient tsd, String metric) {
    String uid = tsd.get("api/uid/assign?metric=" + metric).path("metric").path(metric).asText();
    return HexFormat.of().parseHex(uid);
  }

  /** Runs all queries over all ranges, after {@link #prepare}. */
  List<QueryMeasurement> ask() {
    QuerySpan first = QuerySpan.of(ranges.get(0), window.streamFrom());
    // It reads the coverage every ten seconds.
    Await.until(
        "the plugin to read the coverage",
        COVERED,
        () -> !client.reading(Query.ALL.get(0), first).isRaw());
    QueryTimer timer = new QueryTimer(client, limits, System::nanoTime);
    QueryRange bySeries = longest(limits::onePart);
    List<QueryMeasurement> measurements = new ArrayList<>();
    for (QueryRange range : ranges) {
      for (Query query : Query.ALL) {
        run.step("%s over %s, from raw data and by the plugin", query.text(), range.text());
        measurements.add(timer.measure(query, range, window.streamFrom(), range.equals(bySeries)));
      }
    }
    return measurements;
  }

  /**
   * Asks further queries, after {@link #prepare}: of times whose rollups are proven, and of the
   * last hours and days.
   *
   * @param metric UID of {@link RequestRate#METRIC}
   * @throws IOException when HBase does not answer
   */
  List<FurtherResult> further(byte[] metric) throws IOException {
    FurtherQueries queries =
        new FurtherQueries(
            client, new ScanCounter(hbase.connection(), schema), metric, System::nanoTime);
    // One series, whose raw points of all days the TSD can read in one query.
    String host = run.rate().host(0);
    QueryRange month = longest(limits::onePart);
    QueryRange year = new QueryRange(window.days());
    long to = window.streamFrom();
    run.step("queries that a stock TSD hardly answers from rollups, over %s", month.text());
    List<FurtherResult> results = new ArrayList<>(queries.hard(QuerySpan.of(month, to)));
    run.step("the same of %s over %s", host, year.text());
    results.addAll(queries.hard(span(year.text(), year.from(to), to, host)));
    run.step("queries of the last 24 hours and 7 days");
    long stored = run.clock().instant().getEpochSecond() - STORED;
    long end = stored - stored % HOUR;
    long week = Math.max(window.from(), end - WEEK_DAYS * DAY);
    String asked = limits.lastDays() ? "" : host;
    results.addAll(queries.last(span("last 24 hours", end - DAY, end, asked)));
    results.addAll(queries.last(span("last 7 days", week, end, asked)));
    return results;
  }

  private static QuerySpan span(String text, long from, long to, String host) {
    return new QuerySpan(host.isEmpty() ? text : text + ", " + host, from, to, host);
  }

  /**
   * Puts all results together, with the cells that {@link #ask} has read.
   *
   * @param metric UID of {@link RequestRate#METRIC}
   * @param measurements what {@link #ask} returned
   * @param further what {@link #further} returned
   */
  BenchmarkResults results(
      byte[] metric, List<QueryMeasurement> measurements, List<FurtherResult> further)
      throws IOException {
    run.step("counting the cells that these queries read");
    return new BenchmarkResults(
        window.from(), window.streamFrom(), queries(metric, measurements), further);
  }

  private List<QueryResult> queries(byte[] metric, List<QueryMeasurement> measurements)
      throws IOException {
    ScanCounter scans = new ScanCounter(hbase.connection(), schema);
    Map<QueryRange, ScanCost> cells = rawCosts(scans, cellsMetric, limits::cells);
    Map<QueryRange, ScanCost> compacted = rawCosts(scans, metric, any -> true);
    ScanCost measured = Objects.requireNonNull(cells.get(cellsRange));
    List<QueryResult> results = new ArrayList<>();
    for (QueryMeasurement each : measurements) {
      QueryRange range = each.range();
      ScanCost rows = Objects.requireNonNull(compacted.get(range), range.text());
      Map<QuerySource, ScanCost> costs = new EnumMap<>(QuerySource.class);
      costs.put(QuerySource.RAW_CELLS, cells.getOrDefault(range, rows.asCells()));
      costs.put(QuerySource.RAW_COMPACTED, rows);
      results.add(
          new QueryResult(each, costs, millis(each.query(), measurements) / measured.cells()));
    }
    return results;
  }

  /** The time of a query of single cells over the longest range that has them. */
  private double millis(Query query, List<QueryMeasurement> measurements) {
    return measurements.stream()
        .filter(each -> each.query().equals(query) && each.range().equals(cellsRange))
        .map(each -> Objects.requireNonNull(each.timings(QuerySource.RAW_CELLS)))
        .findFirst()
        .orElseThrow()
        .median();
  }

  /** The costs of raw data by range. The ranges have the same end, so each adds to the last one. */
  private Map<QueryRange, ScanCost> rawCosts(
      ScanCounter scans, byte[] metric, Predicate<QueryRange> wanted) throws IOException {
    Map<QueryRange, ScanCost> costs = new LinkedHashMap<>();
    ScanCost sum = ScanCost.NONE;
    long to = window.streamFrom();
    for (QueryRange range : ranges) {
      if (wanted.test(range)) {
        long from = range.from(window.streamFrom());
        sum = sum.plus(scans.raw(metric, from, to));
        costs.put(range, sum);
        to = from;
      }
    }
    return costs;
  }
}
