package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.rollup.uid.UidSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the input: snapshots, configuration, intervals, window. */
final class InputOptions {
  @Option(
      names = "--snapshot-root",
      paramLabel = "URI",
      description =
          "HBase root directory or target of ExportSnapshot: s3a://, hdfs:// or"
              + " file:///. Read-only.")
  @Nullable String snapshotRoot;

  @Option(
      names = "--data-snapshot",
      paramLabel = "NAME",
      description =
          "Snapshot of the data table (tsdb); for verify the snapshot of the rollup"
              + " run, or a later one.")
  @Nullable String dataSnapshot;

  @Option(
      names = "--uid-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of the UID table (tsdb-uid), taken after the data snapshot.")
  @Nullable String uidSnapshot;

  @Option(
      names = "--uid-source",
      paramLabel = "snapshot|hbase",
      defaultValue = "snapshot",
      description =
          "Source of UID names: --uid-snapshot, or the live HBase of --tsd-config"
              + " (tsd.storage.hbase.zk_quorum)."
              + RollupCommand.DEFAULT)
  UidSource uidSource = UidSource.SNAPSHOT;

  @Mixin HBaseOptions hbase = new HBaseOptions();

  @Mixin TsdOptions tsd = new TsdOptions();

  @Option(
      names = "--interval",
      paramLabel = "INTERVAL",
      split = ",",
      defaultValue = "1h",
      description =
          "Rollup intervals in the notation of rollup_config.json, comma-separated, all"
              + " computed in one pass: each divides the hour, or is whole hours that"
              + " divide the day, for example 1m,10m,1h,6h,1d. Can be repeated. Above 1h the"
              + " window must be whole days,"
              + " UTC."
              + RollupCommand.DEFAULT)
  List<String> intervals = new ArrayList<>(List.of("1h"));

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "First hour, inclusive: ISO-8601 (2026-11-19, 2026-11-19T05:00:00Z) or seconds since the"
              + " epoch; UTC, on the hour.")
  @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Last hour, exclusive; written like --from.")
  @Nullable String to;

  @Option(
      names = "--day",
      paramLabel = "DATE",
      description = "Short form of --from and --to for one day, UTC: 2026-11-19.")
  @Nullable String day;
}
