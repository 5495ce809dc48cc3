package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code --sink hfile}. */
final class HFileOptions {
  @Option(
      names = "--hfile-dir",
      paramLabel = "DIR",
      description =
          "Directory for --sink hfile, with its file system; preferably on the HDFS or"
              + " in the bucket of the HBase that loads the files. Each run creates a"
              + " subdirectory, valid once it has manifest.json.")
  @Nullable String dir;

  @Option(
      names = "--target-snapshot",
      paramLabel = "NAME",
      split = ",",
      description =
          "With --sink hfile: snapshot of the rollup table, below --snapshot-root, that"
              + " defines regions and compression of the files; its data is not read. Default:"
              + " query the live HBase of --tsd-config.")
  List<String> targetSnapshots = new ArrayList<>();

  /** Checks that no option is given. */
  void refuse(Problems problems) {
    problems.refuse("--hfile-dir", dir, "goes with --sink hfile only");
    if (!targetSnapshots.isEmpty()) {
      problems.add("--target-snapshot goes with --sink hfile only");
    }
  }

  /** Checks the options, and the configuration on which the files depend. */
  void check(CommonInput common, Problems problems) {
    problems.require("--hfile-dir", dir);
    if (common.intervals() != null) {
      tables(common.intervals(), problems);
    }
    TsdConfig config = common.files().config();
    if (config == null) {
      return;
    }
    salt(common, config, problems);
    String tagRaw = config.get(StorageSchema.ROLLUPS_TAG_RAW);
    if (tagRaw != null && TsdConfig.isTrue(tagRaw)) {
      problems.add(
          ("--sink hfile does not go with %s, by which TSDs give rollups one more tag: use"
                  + " Kafka, found: %s")
              .formatted(StorageSchema.ROLLUPS_TAG_RAW, tagRaw));
    }
    if (targetSnapshots.isEmpty()) {
      Map<String, String> unused = common.input().hbase.clientProperties(config, problems);
    }
  }

  /**
   * Checks that the row keys of the files are those of the TSDs, which no server checks: TSDs with
   * fewer buckets never read the rows of the others.
   */
  private static void salt(CommonInput common, TsdConfig withOptions, Problems problems) {
    // What cannot be read is reported with the schema.
    TsdConfig file = TsdKeys.config(common.input().tsd.config, Map.of(), new Problems());
    StorageSchema own = TsdKeys.schema(withOptions, new Problems());
    StorageSchema ofTsds = TsdKeys.schema(file, new Problems());
    // If the file lacks the key, the options alone say what the TSDs have.
    if (file == null
        || file.get(StorageSchema.SALT_WIDTH) == null
        || own == null
        || ofTsds == null) {
      return;
    }
    if (own.saltWidth() != ofTsds.saltWidth() || own.saltBuckets() != ofTsds.saltBuckets()) {
      problems.add(
          ("--tsd.storage.salt.width and --tsd.storage.salt.buckets must be those of --tsd-config"
                  + " with --sink hfile, because TSDs with others do not read all rows: %s and %s,"
                  + " found: %s and %s")
              .formatted(
                  ofTsds.saltWidth(), ofTsds.saltBuckets(), own.saltWidth(), own.saltBuckets()));
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
            ("rollup configuration: each interval must have a table of its own, found %s of"
                    + " %s and %s")
                .formatted(interval.table(), other, interval.interval()));
      }
    }
  }
}
