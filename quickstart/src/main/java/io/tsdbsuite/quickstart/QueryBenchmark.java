package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.quickstart.data.EarlyRollups;
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
import io.tsdbsuite.quickstart.query.SplitQueryResult;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs the same queries over raw data and over rollups, and measures them. */
final class QueryBenchmark {
  private static final String INTERVAL = "1h";
  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final int EARLY_HOURS = 3;
  private static final Map<QuerySource, String> METRICS =
      Map.of(
          QuerySource.RAW_CELLS, SingleCellWriter.METRIC,
          QuerySource.RAW_COMPACTED, RequestRate.METRIC,
          QuerySource.ROLLUPS, RequestRate.METRIC);

  private final HBaseServer hbase;
  private final TsdClient tsd;
  private final StorageSchema schema;
  private final RollupConfig rollups;
  private final RollupInterval interval;
  private final Timeline window;
  private final Console console;
  private final byte[] cellsMetric;

  QueryBenchmark(
      HBaseServer hbase,
      TsdClient tsd,
      StorageSchema schema,
      RollupConfig rollups,
      Timeline window,
      Console console) {
    this.hbase = hbase;
    this.tsd = tsd;
    this.schema = schema;
    this.rollups = rollups;
    this.interval = Objects.requireNonNull(rollups.interval(INTERVAL), INTERVAL);
    this.window = window;
    this.console = console;
    this.cellsMetric = assign(tsd, SingleCellWriter.METRIC);
  }

  /**
   * Writes data that the job must not read: the same points as single cells, and rollups beyond the
   * split point.
   *
   * @param rate the points
   * @param uids UIDs of the series
   * @param directory for an HFile
   */
  void prepare(RequestRate rate, SeriesUids uids, Path directory) throws IOException {
    long cells =
        new SingleCellWriter(rate, schema)
            .write(hbase, uids, cellsMetric, directory, window.from(), window.compareTo());
    console.step(
        "%,d points again as %s, a cell per point, like without compaction; by an HFile",
        cells, SingleCellWriter.METRIC);
    EarlyRollups.write(
        tsd,
        window.compareTo() - DAY,
        window.rollupTo() + EARLY_HOURS * HOUR,
        window.liveFrom() + HOUR);
    hbase.flush(schema.dataTable());
    hbase.flush(interval.table());
  }

  private static byte[] assign(TsdClient tsd, String metric) {
    String uid = tsd.get("api/uid/assign?metric=" + metric).path("metric").path(metric).asText();
    return HexFormat.of().parseHex(uid);
  }

  /**
   * Runs all queries, after {@link #prepare}.
   *
   * @param metric UID of {@link RequestRate#METRIC}
   * @param clock the clock that determines the split point
   */
  BenchmarkResults ask(byte[] metric, Clock clock) throws IOException {
    QueryClient client = new QueryClient(tsd, METRICS);
    QueryTimer stopwatch = new QueryTimer(client, System::nanoTime);
    console.step("warming up");
    stopwatch.warmUp(Query.ALL.get(0), window.from(), window.compareTo());
    List<QueryMeasurement> measurements = new ArrayList<>();
    for (Query query : Query.ALL) {
      console.step("%s over %d days, from raw data and from rollups", query.text(), window.days());
      measurements.add(stopwatch.measure(query, window.from(), window.compareTo()));
    }
    console.step("counting the cells that these queries read");
    List<Map<QuerySource, ScanCost>> costs = costs(metric);
    return new BenchmarkResults(
        window.from(),
        window.compareTo(),
        window.rollupTo(),
        measurements,
        costs,
        split(client, clock),
        split(
            new QueryClient(
                tsd,
                Map.of(
                    QuerySource.RAW_COMPACTED, EarlyRollups.METRIC,
                    QuerySource.ROLLUPS, EarlyRollups.METRIC)),
            clock));
  }

  private SplitQueryResult split(QueryClient client, Clock clock) {
    return SplitQueryResult.ask(
        client,
        clock,
        interval.delaySlaSeconds(),
        window.compareTo() - DAY,
        window.liveFrom() + HOUR);
  }

  private List<Map<QuerySource, ScanCost>> costs(byte[] metric) throws IOException {
    ScanCounter scans = new ScanCounter(hbase.connection(), schema, rollups);
    ScanCost compacted = scans.raw(metric, window.from(), window.compareTo());
    ScanCost cells = scans.raw(cellsMetric, window.from(), window.compareTo());
    List<Map<QuerySource, ScanCost>> costs = new ArrayList<>();
    for (Query query : Query.ALL) {
      Map<QuerySource, ScanCost> cost = new EnumMap<>(QuerySource.class);
      cost.put(QuerySource.RAW_CELLS, cells);
      cost.put(QuerySource.RAW_COMPACTED, compacted);
      cost.put(
          QuerySource.ROLLUPS,
          scans.rollup(metric, INTERVAL, query.stored(), window.from(), window.compareTo()));
      costs.add(cost);
    }
    return costs;
  }
}
