package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the snapshots of the data table and the UID table. */
final class SnapshotOptions {
  @Option(
      names = "--snapshot-root",
      paramLabel = "URI",
      description =
          "HBase root directory or target of ExportSnapshot: s3a://, hdfs:// or"
              + " file:///. Read-only.")
  @Nullable String root;

  @Option(
      names = "--data-snapshot",
      paramLabel = "NAME",
      description =
          "Snapshot of the data table (tsdb); for verify the snapshot of the rollup"
              + " run, or a later one.")
  @Nullable String data;

  @Option(
      names = "--uid-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of the UID table (tsdb-uid), taken after the data snapshot.")
  @Nullable String uids;

  /** Requires those that all commands need. */
  void require(Problems problems) {
    problems.require("--snapshot-root", root);
    problems.require("--data-snapshot", data);
  }
}
