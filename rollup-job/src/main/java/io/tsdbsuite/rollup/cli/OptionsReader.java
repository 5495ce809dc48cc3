package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.MetricPatterns;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.sink.KafkaSinkOptions;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Checks the options and the files that they name, and collects all problems. */
final class OptionsReader {
  private static final long MEBIBYTE = 1L << 20;

  /**
   * The aggregators of a rollup. Each needs a number in the rollup configuration, or the TSD cannot
   * store its value.
   */
  private static final List<String> AGGREGATORS = List.of("sum", "count", "min", "max");

  private final RollupCommand command;
  private final InputOptions input;
  private final Map<String, String> overrides;
  private final Clock clock;
  private final Problems problems = new Problems();
  private final SinkReader sink;
  private TsdFiles files;

  /**
   * @param overrides values that override keys of opentsdb.conf
   * @param clock the present, which limits the newest window
   */
  OptionsReader(RollupCommand command, Map<String, String> overrides, Clock clock) {
    this.command = command;
    this.input = command.input;
    this.overrides = overrides;
    this.clock = clock;
    this.sink = new SinkReader(command, problems);
  }

  /** Every problem found so far, one line each. */
  List<String> problems() {
    return problems.all();
  }

  /** Warnings about allowed but dangerous options. */
  List<String> warnings() {
    return files.rollups() == null
        ? List.of()
        : files.rollups().warnings().stream()
            .map(warning -> "rollup configuration: " + warning)
            .toList();
  }

  /** The rollup_config.json parsed by {@link #read}; null if it could not be read. */
  RollupConfig rollupConfig() {
    return files.rollups();
  }

  /** Returns the job's options; null if there are problems. */
  RollupOptions read() {
    problems.require("--snapshot-root", input.snapshotRoot);
    problems.require("--data-snapshot", input.dataSnapshot);
    numbers();
    WindowReader hours = new WindowReader(command, problems);
    WindowReader.Window window = hours.window();
    files = TsdFiles.read(input.tsd, overrides, problems);
    RollupIntervals intervals = files.rollups() == null ? null : intervals(files.rollups());
    hours.wholeDays(intervals, window);
    HoldBack holdBack = hours.holdBack(intervals, window, clock);
    ChangedSince changed =
        new ChangedOptions(command, problems).read(files.schema(), window, intervals);
    UidOptions uids = new UidOptions(command, problems);
    Map<String, String> hbase = uids.hbase(files.config());
    sink.check();
    if (command.sink == SinkKind.HFILE) {
      new HFileOptions(command, files.config()).check(intervals, problems);
    }
    if (!problems.isEmpty()) {
      return null;
    }
    return RollupOptions.builder()
        .snapshotRoot(input.snapshotRoot)
        .dataSnapshot(input.dataSnapshot)
        .uids(new UidSettings(uids.source(), uids.snapshot(), hbase))
        .schema(files.schema())
        .intervals(intervals)
        .from(window.from())
        .to(window.to())
        .holdBack(holdBack)
        .metrics(MetricPatterns.of(command.choice.metrics))
        .maxFailedRows(command.tasks.maxFailedRows)
        .partitionBytes(Math.max(1, Math.round(command.tasks.partitionMebibytes * MEBIBYTE)))
        .tolerance(
            new Tolerance(
                command.tasks.maxFailedBlocks,
                command.choice.allowExpired,
                command.choice.allowSkipFlush,
                command.choice.allowEmpty))
        .changedSince(changed)
        .asOf(command.asOf)
        .build();
  }

  private void numbers() {
    problems.atLeast("--max-failed-rows", command.tasks.maxFailedRows, 0);
    problems.atLeast("--max-failed-blocks", command.tasks.maxFailedBlocks, 0);
    double mebibytes = command.tasks.partitionMebibytes;
    if (!(mebibytes > 0)) {
      problems.add("--partition-size must be more than 0, found: " + mebibytes);
    }
    if (!(command.maxMessagesPerSecond >= 0)) {
      problems.add(
          "--max-messages-per-second must be 0 or more, found: " + command.maxMessagesPerSecond);
    }
  }

  private RollupIntervals intervals(RollupConfig config) {
    for (String aggregator : AGGREGATORS) {
      if (config.aggregatorId(aggregator) == null) {
        problems.add(
            "rollup configuration: aggregationIds must have '"
                + aggregator
                + "', else no TSD can store that value");
      }
    }
    return new IntervalsReader(config, problems).read(input.intervals);
  }

  /** The Kafka sink's options; only for {@link SinkKind#KAFKA}. */
  KafkaSinkOptions kafka() {
    return sink.kafka();
  }

  /** The HFile sink; only for {@link SinkKind#HFILE}, once {@link #read} found no problem. */
  HFileSinkFactory hfiles(RollupOptions options, Configuration hadoop) {
    return new HFileOptions(command, files.config())
        .sinks(options, files.rollups(), hadoop, clock.instant());
  }
}
