package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SeriesUids;
import io.tsdbsuite.quickstart.data.SingleCellWriter;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import io.tsdbsuite.quickstart.query.Query;
import io.tsdbsuite.quickstart.query.QueryClient;
import io.tsdbsuite.quickstart.query.QueryMeasurement;
import io.tsdbsuite.quickstart.query.QuerySource;
import io.tsdbsuite.quickstart.query.QueryTimer;
import io.tsdbsuite.quickstart.query.ScanCost;
import io.tsdbsuite.quickstart.query.ScanCounter;
import io.tsdbsuite.quickstart.query.SlaBenchmark;
import io.tsdbsuite.quickstart.query.SlaMeasurement;
import io.tsdbsuite.quickstart.query.SplitQueryResult;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Runs the same queries over raw data and over rollups, and measures them. */
final class QueryBenchmark {
  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final Map<QuerySource, String> METRICS =
      Map.of(
          QuerySource.RAW_CELLS, SingleCellWriter.METRIC,
          QuerySource.RAW_COMPACTED, RequestRate.METRIC,
          QuerySource.ROLLUPS, RequestRate.METRIC);

  private final HBaseServer hbase;
  private final TsdClient tsd;
  private final StorageSchema schema;
  private final RollupConfig rollups;
  private final Collection<String> tables;
  private final Timeline window;
  private final Console console;
  private final byte[] cellsMetric;

  QueryBenchmark(
      HBaseServer hbase,
      TsdClient tsd,
      StorageSchema schema,
      RollupConfig rollups,
      Collection<String> tables,
      Timeline window,
      Console console) {
    this.hbase = hbase;
    this.tsd = tsd;
    this.schema = schema;
    this.rollups = rollups;
    this.tables = tables;
    this.window = window;
    this.console = console;
    this.cellsMetric = assign(tsd, SingleCellWriter.METRIC);
  }

  /**
   * Writes data that the job must not read: the same points as single cells.
   *
   * @param rate the points
   * @param uids UIDs of the series
   * @param directory for an HFile
   */
  void prepare(RequestRate rate, SeriesUids uids, Path directory) throws IOException {
    long cells =
        new SingleCellWriter(rate, schema)
            .write(hbase, uids, cellsMetric, directory, window.from(), window.streamFrom());
    console.step(
        "%,d points again as %s, a cell per point, like without compaction; by an HFile",
        cells, SingleCellWriter.METRIC);
    hbase.flush(schema.dataTable());
    for (String table : tables) {
      hbase.flush(table);
    }
  }

  private static byte[] assign(TsdClient tsd, String metric) {
    String uid = tsd.get("api/uid/assign?metric=" + metric).path("metric").path(metric).asText();
    return HexFormat.of().parseHex(uid);
  }

  /** Runs all queries over the whole days, after {@link #prepare}. */
  List<QueryMeasurement> ask() {
    QueryTimer stopwatch = new QueryTimer(new QueryClient(tsd, METRICS), System::nanoTime);
    console.step("warming up");
    stopwatch.warmUp(Query.ALL.get(0), window.from(), window.streamFrom());
    List<QueryMeasurement> measurements = new ArrayList<>();
    for (Query query : Query.ALL) {
      console.step("%s over %d days, from raw data and from rollups", query.text(), window.days());
      measurements.add(stopwatch.measure(query, window.from(), window.streamFrom()));
    }
    return measurements;
  }

  /**
   * Puts all results together, with the cells that {@link #ask} has read.
   *
   * @param metric UID of {@link RequestRate#METRIC}
   * @param measurements what {@link #ask} returned
   * @param split queries over the split points
   * @param sla queries of the last hours and days
   */
  BenchmarkResults results(
      byte[] metric,
      List<QueryMeasurement> measurements,
      List<SplitQueryResult> split,
      List<SlaMeasurement> sla)
      throws IOException {
    console.step("counting the cells that these queries read");
    return new BenchmarkResults(
        window.from(), window.streamFrom(), measurements, costs(metric), split, sla);
  }

  /**
   * Queries of the last hours and days.
   *
   * @param metric UID of {@link RequestRate#METRIC}
   * @param series number of its series
   * @param clock the clock that determines the split point
   */
  SlaBenchmark lately(byte[] metric, int series, Clock clock) throws IOException {
    return new SlaBenchmark(
        new QueryClient(tsd, METRICS),
        new ScanCounter(hbase.connection(), schema, rollups),
        metric,
        series,
        window.from(),
        clock,
        System::nanoTime);
  }

  /**
   * A query over the split point, from the day before it.
   *
   * @param delaySlaHours the delaySla of the TSD, whole hours
   * @param clock the clock that determines the split point
   */
  SplitQueryResult split(int delaySlaHours, Clock clock) {
    long now = clock.instant().getEpochSecond();
    long delaySla = (long) delaySlaHours * HOUR;
    long day = now - delaySla - (now - delaySla) % DAY;
    return SplitQueryResult.ask(
        new QueryClient(tsd, METRICS), clock, delaySla, day - DAY, now - now % HOUR);
  }

  private List<Map<QuerySource, ScanCost>> costs(byte[] metric) throws IOException {
    ScanCounter scans = new ScanCounter(hbase.connection(), schema, rollups);
    ScanCost compacted = scans.raw(metric, window.from(), window.streamFrom());
    ScanCost cells = scans.raw(cellsMetric, window.from(), window.streamFrom());
    List<Map<QuerySource, ScanCost>> costs = new ArrayList<>();
    for (Query query : Query.ALL) {
      Map<QuerySource, ScanCost> cost = new EnumMap<>(QuerySource.class);
      cost.put(QuerySource.RAW_CELLS, cells);
      cost.put(QuerySource.RAW_COMPACTED, compacted);
      cost.put(
          QuerySource.ROLLUPS,
          scans.rollup(
              metric, query.interval(), query.stored(), window.from(), window.streamFrom()));
      costs.add(cost);
    }
    return costs;
  }
}
