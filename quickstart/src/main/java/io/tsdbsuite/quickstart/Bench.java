package io.tsdbsuite.quickstart;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.quickstart.data.EarlyRollups;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.data.SeriesUids;
import io.tsdbsuite.quickstart.data.SingleCellWriter;
import io.tsdbsuite.quickstart.query.Asker;
import io.tsdbsuite.quickstart.query.Findings;
import io.tsdbsuite.quickstart.query.Measurement;
import io.tsdbsuite.quickstart.query.Question;
import io.tsdbsuite.quickstart.query.ScanCost;
import io.tsdbsuite.quickstart.query.Scans;
import io.tsdbsuite.quickstart.query.Source;
import io.tsdbsuite.quickstart.query.SplitBoundary;
import io.tsdbsuite.quickstart.query.Stopwatch;
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

/** Asks the same questions of raw data and of rollups. */
final class Bench {
  private static final String INTERVAL = "1h";
  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final int EARLY_HOURS = 3;
  private static final Map<Source, String> METRICS =
      Map.of(
          Source.RAW_CELLS, SingleCellWriter.METRIC,
          Source.RAW_COMPACTED, RequestRate.METRIC,
          Source.ROLLUPS, RequestRate.METRIC);

  private final HBaseServer hbase;
  private final TsdClient tsd;
  private final StorageSchema schema;
  private final RollupConfig rollups;
  private final Window window;
  private final Console console;
  private byte[] cellsMetric;

  Bench(
      HBaseServer hbase,
      TsdClient tsd,
      StorageSchema schema,
      RollupConfig rollups,
      Window window,
      Console console) {
    this.hbase = hbase;
    this.tsd = tsd;
    this.schema = schema;
    this.rollups = rollups;
    this.window = window;
    this.console = console;
  }

  /**
   * Writes what the job must not see: the same points as single cells, and rollups that are too
   * early.
   *
   * @param rate the points
   * @param uids of the series
   * @param directory for an HFile
   */
  void prepare(RequestRate rate, SeriesUids uids, Path directory) throws IOException {
    cellsMetric = assign(SingleCellWriter.METRIC);
    long cells =
        new SingleCellWriter(rate, schema)
            .write(hbase, uids, cellsMetric, directory, window.from(), window.compareTo());
    console.step(
        "%,d points again as %s, a cell per point, as without compaction; by an HFile",
        cells, SingleCellWriter.METRIC);
    EarlyRollups.write(
        tsd,
        window.compareTo() - DAY,
        window.rollupTo() + EARLY_HOURS * HOUR,
        window.liveFrom() + HOUR);
    hbase.flush(schema.dataTable());
    hbase.flush(rollups.interval(INTERVAL).table());
  }

  private byte[] assign(String metric) {
    String uid = tsd.get("api/uid/assign?metric=" + metric).path("metric").path(metric).asText();
    return HexFormat.of().parseHex(uid);
  }

  /**
   * Asks everything, after {@link #prepare}.
   *
   * @param metric UID of {@link RequestRate#METRIC}
   * @param clock tells where the TSD splits
   */
  Findings ask(byte[] metric, Clock clock) throws IOException {
    Asker asker = new Asker(tsd, METRICS);
    Stopwatch stopwatch = new Stopwatch(asker, System::nanoTime);
    console.step("warming up");
    stopwatch.warmUp(Question.ALL.get(0), window.from(), window.compareTo());
    List<Measurement> measurements = new ArrayList<>();
    for (Question question : Question.ALL) {
      console.step(
          "%s over %d days, from raw data and from rollups", question.text(), window.days());
      measurements.add(stopwatch.measure(question, window.from(), window.compareTo()));
    }
    console.step("counting the cells that these queries read");
    List<Map<Source, ScanCost>> costs = costs(metric);
    return new Findings(
        window.from(),
        window.compareTo(),
        window.rollupTo(),
        measurements,
        costs,
        split(asker, clock),
        split(
            new Asker(
                tsd,
                Map.of(
                    Source.RAW_COMPACTED, EarlyRollups.METRIC,
                    Source.ROLLUPS, EarlyRollups.METRIC)),
            clock));
  }

  private SplitBoundary split(Asker asker, Clock clock) {
    return SplitBoundary.ask(
        asker,
        clock,
        rollups.interval(INTERVAL).delaySlaSeconds(),
        window.compareTo() - DAY,
        window.liveFrom() + HOUR);
  }

  private List<Map<Source, ScanCost>> costs(byte[] metric) throws IOException {
    Scans scans = new Scans(hbase.connection(), schema, rollups);
    ScanCost compacted = scans.raw(metric, window.from(), window.compareTo());
    ScanCost cells = scans.raw(cellsMetric, window.from(), window.compareTo());
    List<Map<Source, ScanCost>> costs = new ArrayList<>();
    for (Question question : Question.ALL) {
      Map<Source, ScanCost> cost = new EnumMap<>(Source.class);
      cost.put(Source.RAW_CELLS, cells);
      cost.put(Source.RAW_COMPACTED, compacted);
      cost.put(
          Source.ROLLUPS,
          scans.rollup(metric, INTERVAL, question.stored(), window.from(), window.compareTo()));
      costs.add(cost);
    }
    return costs;
  }
}
