package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import io.tsdbsuite.job.hbase.HBaseClients;
import io.tsdbsuite.rollup.hfile.AggregatorIds;
import io.tsdbsuite.rollup.hfile.HFileSinkFactory;
import io.tsdbsuite.rollup.hfile.HFileSinkOptions;
import io.tsdbsuite.rollup.hfile.LiveTargets;
import io.tsdbsuite.rollup.hfile.SnapshotTargets;
import io.tsdbsuite.rollup.hfile.TargetSource;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** The options of {@code --sink hfile}. */
final class HFileOptions {
  private static final String SALT_WIDTH = "tsd.storage.salt.width";
  private static final String TAG_RAW = "tsd.rollups.tag_raw";
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final int RANDOM_DIGITS = 6;

  private final RollupCommand command;
  private final @Nullable TsdConfig config;

  /**
   * @param config null if it cannot be read, which is reported separately
   */
  HFileOptions(RollupCommand command, @Nullable TsdConfig config) {
    this.command = command;
    this.config = config;
  }

  /**
   * Checks the options.
   *
   * @param intervals null if unknown, which is reported separately
   * @param problems receives the problems found
   */
  void check(@Nullable RollupIntervals intervals, Problems problems) {
    problems.require("--hfile-dir", command.hfileDir);
    if (intervals != null) {
      tables(intervals, problems);
    }
    if (config == null) {
      return;
    }
    salt(config, problems);
    String tagRaw = config.get(TAG_RAW);
    if (tagRaw != null && TsdConfig.isTrue(tagRaw)) {
      problems.add(
          "--sink hfile does not go with "
              + TAG_RAW
              + ", by which TSDs give rollups one more tag: use Kafka, found: "
              + tagRaw);
    }
    if (command.targetSnapshots.isEmpty()) {
      Map<String, String> unused = command.input.hbase.clientProperties(config, problems);
    }
  }

  /**
   * Checks that the row keys of the files are those of the TSDs, which no server checks: TSDs with
   * fewer buckets never read the rows of the others.
   */
  private void salt(TsdConfig withOptions, Problems problems) {
    // What cannot be read is reported with the schema.
    TsdConfig file = TsdKeys.config(command.input.tsd.config, Map.of(), new Problems());
    StorageSchema own = TsdKeys.schema(withOptions, new Problems());
    StorageSchema ofTsds = TsdKeys.schema(file, new Problems());
    // If the file lacks the key, the options alone say what the TSDs have.
    if (file == null || file.get(SALT_WIDTH) == null || own == null || ofTsds == null) {
      return;
    }
    if (own.saltWidth() != ofTsds.saltWidth() || own.saltBuckets() != ofTsds.saltBuckets()) {
      problems.add(
          "--tsd.storage.salt.width and --tsd.storage.salt.buckets must be those of --tsd-config"
              + " with --sink hfile, because TSDs with others do not read all rows: "
              + ofTsds.saltWidth()
              + " and "
              + ofTsds.saltBuckets()
              + ", found: "
              + own.saltWidth()
              + " and "
              + own.saltBuckets());
    }
  }

  /**
   * Checks that each interval has its own table: in one table they would overwrite each other, and
   * no TSD could distinguish them.
   */
  private static void tables(RollupIntervals intervals, Problems problems) {
    Map<String, String> byTable = new HashMap<>();
    for (RollupInterval interval : intervals.all()) {
      String other = byTable.putIfAbsent(interval.table(), interval.interval());
      if (other != null) {
        problems.add(
            "rollup configuration: each interval must have a table of its own, found "
                + interval.table()
                + " of "
                + other
                + " and "
                + interval.interval());
      }
    }
  }

  /**
   * Creates the sink; only after a check without problems.
   *
   * @param now start of the run
   */
  HFileSinkFactory sinks(
      RollupOptions options, RollupConfig rollups, Configuration hadoop, Instant now) {
    String random = UUID.randomUUID().toString().substring(0, RANDOM_DIGITS);
    HFileSinkOptions sink =
        new HFileSinkOptions(
            Objects.requireNonNull(command.hfileDir),
            SECOND.format(now) + "_" + random,
            options.schema(),
            options.intervals().all(),
            AggregatorIds.of(rollups));
    return new HFileSinkFactory(sink, hadoop, targets(options, hadoop));
  }

  private TargetSource targets(RollupOptions options, Configuration hadoop) {
    if (!command.targetSnapshots.isEmpty()) {
      return new SnapshotTargets(hadoop, options.snapshotRoot(), command.targetSnapshots);
    }
    Map<String, String> properties = command.input.hbase.clientProperties(config, new Problems());
    return new LiveTargets(HBaseClients.configuration(hadoop, properties));
  }
}
