package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.quickstart.data.Latency;
import io.tsdbsuite.quickstart.data.SingleCells;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.Query;
import io.tsdbsuite.quickstart.query.QueryLimits;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QuerySpan;
import io.tsdbsuite.quickstart.query.QueryTimer;
import io.tsdbsuite.quickstart.query.ScanCounter;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs the same queries over raw data and through rollup-query, and measures them. */
final class QueryBenchmark {
  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final int WEEK_DAYS = 7;

  /** Longer than a point takes through Kafka: a row that still grows has no answer to compare. */
  private static final int STORED = 60;

  private static final Duration COVERED = Duration.ofMinutes(2);

  private final Environment run;
  private final String table;
  private final SingleCells cells;
  private final ScanCounter scans;
  private final QueryLimits limits;
  private final QueryTimer timer;
  private final List<QuerySpan> spans;

  /**
   * @param run has a TSD with the points of all whole days
   */
  QueryBenchmark(Environment run) throws IOException {
    this.run = run;
    StorageSchema schema = StorageSchema.from(TsdConfig.load(run.tsdConfig()));
    long to = run.window().streamFrom();
    table = schema.dataTable();
    cells = new SingleCells(run.client(), to - HOUR, run.rate(), schema);
    scans = new ScanCounter(run.stack().hbase().connection(), table, cells.original());
    limits = new QueryLimits(run.rate().series());
    timer = new QueryTimer(run.queries(), limits, System::nanoTime);
    spans = QuerySpan.upTo(run.window().days(), to);
  }

  /**
   * Writes data that the job must not read: as single cells, the points of the longest span that
   * the TSD can read in this way. Then each rollup table becomes one HFile, as HBase's own
   * compactions leave it.
   *
   * @param directory for an HFile
   */
  void prepare(Path directory) throws IOException {
    HBaseServer hbase = run.stack().hbase();
    QuerySpan span = QueryLimits.longest(spans, limits::cells);
    run.step(
        "%,d points of the last %s again as %s, a cell per point, like without compaction; by an"
            + " HFile",
        cells.write(hbase, directory, span.from(), span.to()), span.text(), SingleCells.METRIC);
    hbase.flush(table);
    for (RollupInterval interval : run.rollups().intervals()) {
      hbase.majorCompact(interval.table());
    }
  }

  /** Runs all queries over all spans, after {@link #prepare}. */
  List<QueryMeasurement> ask() {
    // It reads the coverage every ten seconds.
    Await.until(
        "the plugin to read the coverage",
        COVERED,
        () -> !timer.client().reading(Query.ALL.get(0), spans.get(0)).isRaw());
    QuerySpan bySeries = QueryLimits.longest(spans, limits::onePart);
    List<QueryMeasurement> measurements = new ArrayList<>();
    for (QuerySpan span : spans) {
      for (Query query : Query.ALL) {
        run.step("%s over %s, from raw data and by the plugin", query.text(), span.text());
        measurements.add(timer.measure(query, span, span.equals(bySeries)));
      }
    }
    return measurements;
  }

  /**
   * Asks further queries, after {@link #prepare}: of times whose rollups are proven, and of the
   * last hours and days. Counts the cells that all queries read.
   *
   * @param measurements what {@link #ask} returned
   */
  BenchmarkResults results(List<QueryMeasurement> measurements) throws IOException {
    // One series, whose raw points of all days the TSD can read in one query.
    String host = run.rate().host(0);
    QuerySpan month = QueryLimits.longest(spans, limits::onePart);
    QuerySpan year = spans.get(spans.size() - 1);
    run.step("queries that a stock TSD hardly answers from rollups, over %s", month.text());
    List<QueryMeasurement> further = new ArrayList<>(ask(Query.HARD, month));
    run.step("the same of %s over %s", host, year.text());
    further.addAll(ask(Query.HARD, year.ofHost(host)));
    run.step("queries of the last 24 hours and 7 days");
    long stored = run.clock().instant().getEpochSecond() - STORED;
    long end = stored - stored % HOUR;
    long week = Math.max(run.window().from(), end - WEEK_DAYS * DAY);
    String asked = limits.lastDays() ? "" : host;
    for (QuerySpan last :
        List.of(
            new QuerySpan("last 24 hours", end - DAY, end, ""),
            new QuerySpan("last 7 days", week, end, ""))) {
      further.addAll(ask(Query.LAST, last.ofHost(asked)));
    }
    for (QuerySpan span : spans) {
      if (span.days() <= WEEK_DAYS || span.equals(year)) {
        List<Query> latency = Query.ofLatency(span.days() <= WEEK_DAYS ? "1h" : "1d");
        run.step("p50 and p99 of %s over %s", Latency.METRIC, span.text());
        further.addAll(ask(latency, span.ofHost(host)));
      }
    }
    run.step("counting the cells that these queries read");
    Map<QuerySpan, BenchmarkResults.Cost> costs = new HashMap<>();
    for (QuerySpan span : spans) {
      long points = run.rate().points(span.from(), span.to());
      costs.put(span, new BenchmarkResults.Cost(scans.count(span), points));
    }
    return new BenchmarkResults(measurements, further, costs, limits);
  }

  private List<QueryMeasurement> ask(List<Query> queries, QuerySpan span) throws IOException {
    List<QueryMeasurement> measurements = new ArrayList<>();
    for (Query query : queries) {
      QueryMeasurement found = timer.measureFew(query, span);
      // The plugin does not count what OpenTSDB's own code reads.
      boolean countable = found.reading().isRaw() && span.host().isEmpty();
      measurements.add(countable ? found.withCells(scans.count(span)) : found);
    }
    return measurements;
  }
}
