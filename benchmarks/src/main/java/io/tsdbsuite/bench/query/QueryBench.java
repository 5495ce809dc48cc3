package io.tsdbsuite.bench.query;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Measures all queries in all ways, prints the tables, and writes them into the documents. */
public final class QueryBench {
  private static final int USAGE = 2;
  private static final int FIXED = 3;
  private static final String COMMAND = "make bench-query";
  private static final int FEW = 20;
  private static final int MANY = 1000;
  private static final double SECONDS = 10;

  /** Rounds of a way that is slow; the others have more. */
  private static final int LEAST_ROUNDS = 3;

  private static final double SLOW_MILLIS = 500;

  /** Selects them in a trial. */
  private static final String DASHBOARDS = "dashboards";

  /** A p99 needs more queries than a median. */
  private static final double DASHBOARD_TIMES = 3;

  private QueryBench() {}

  /**
   * Arguments: document, JSON file and the jar of rollup-query. More make a trial, which writes
   * neither: the share of the series, the seconds for each query, and texts that select queries.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length < FIXED || args.length == FIXED + 1) {
      System.err.println(
          "bench-query: arguments are DOCUMENT JSON JAR [SHARE SECONDS [QUERY...]], found "
              + String.join(" ", args));
      System.exit(USAGE);
    }
    boolean trial = args.length > FIXED;
    double share = trial ? Double.parseDouble(args[FIXED]) : 1;
    double seconds = trial ? Double.parseDouble(args[FIXED + 1]) : SECONDS;
    List<String> wanted = trial ? List.of(args).subList(FIXED + 2, args.length) : List.of();
    MarkedSection section = new MarkedSection(Path.of(args[0]), COMMAND);
    int few = (int) Math.max(1, FEW * share);
    int many = (int) Math.max(1, MANY * share);
    QueryTables tables = new QueryTables(new Report(COMMAND), few, many);
    long hour = System.currentTimeMillis() / 1000;
    Times times = new Times(hour - hour % Times.HOUR);
    try (QueryServers servers = new QueryServers(Path.of(args[2]))) {
      long begin = System.nanoTime();
      servers.load(times, few, many);
      tables.loaded((System.nanoTime() - begin) / 1e9);
      for (QueryCase each : QueryCase.all(times)) {
        String name = tables.name(each);
        if (wanted.isEmpty() || wanted.stream().anyMatch(name::contains)) {
          measure(servers, times, each, seconds, tables);
        }
      }
      if (wanted.isEmpty() || wanted.contains(DASHBOARDS)) {
        Dashboards dashboards = new Dashboards(servers.plugin(), times);
        dashboards.measure(DASHBOARD_TIMES * seconds);
        tables.add(dashboards.alone(), dashboards.besideHeavy());
      }
    }
    String markdown = tables.markdown();
    System.out.println("\n" + markdown);
    if (!trial) {
      section.write(markdown);
      tables.report().writeJson(Path.of(args[1]));
    }
    System.exit(0);
  }

  private static void measure(
      QueryServers servers, Times times, QueryCase query, double seconds, QueryTables tables)
      throws IOException, InterruptedException {
    List<Figures> ways = new ArrayList<>();
    for (Way way : servers.ways()) {
      if (query.isStoredFor(way, times)) {
        ways.add(new Figures(way, query.uri(), servers.hbasePid()));
      }
    }
    // Without raw data of the range all must be equal.
    Figures last = ways.get(ways.size() - 1);
    Figures right = last.way().name().equals(Way.RAW) ? last : ways.get(0);
    Answer expected = Answer.parse(right.reply().body());
    for (Figures way : ways) {
      way.compare(expected);
      way.warm();
    }
    long cells = servers.plugin().cells();
    List<Figures> turns = new ArrayList<>(ways);
    long end = System.nanoTime() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    for (int round = 0; round < LEAST_ROUNDS || System.nanoTime() < end; round++) {
      for (Figures way : turns) {
        if (round < LEAST_ROUNDS || way.reply().millis() < SLOW_MILLIS) {
          way.measure();
        }
      }
      Collections.reverse(turns);
    }
    long read = servers.plugin().cells() - cells;
    tables.add(
        query,
        ways.stream()
            .map(way -> way.result(way.way().equals(servers.plugin()) ? read : 0))
            .toList());
  }
}
