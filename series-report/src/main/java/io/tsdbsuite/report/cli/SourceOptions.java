package io.tsdbsuite.report.cli;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.report.live.LiveSource;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.model.TsdConfigFile;
import io.tsdbsuite.report.snapshot.SnapshotSource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select the source: a running HBase or snapshots. */
final class SourceOptions {
  /**
   * The selected source.
   *
   * @param layout UID widths, bytes
   * @param opening opens it
   */
  record Source(TsuidLayout layout, Supplier<MetaSource> opening) {}

  private static final TsuidLayout DEFAULT = new TsuidLayout(3, 3, 3);
  private static final String SNAPSHOT_ONLY = "goes with --snapshot only";

  @Option(
      names = "--tsd-config",
      paramLabel = "FILE",
      description = "The TSD's opentsdb.conf: address of HBase, table names, UID widths.")
  private @Nullable String tsdConfig;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Time-out of each request to HBase (default: ${DEFAULT-VALUE}).")
  private String timeout = "60s";

  @Option(
      names = "--snapshot",
      paramLabel = "NAME",
      description =
          "Read this snapshot of tsdb-meta instead of the running HBase. Days and hours count"
              + " back from its creation time.")
  private @Nullable String snapshot;

  @Option(
      names = "--uid-snapshot",
      paramLabel = "NAME",
      description = "Snapshot of tsdb-uid, for names; must be newer than the tsdb-meta snapshot.")
  private @Nullable String uidSnapshot;

  @Option(
      names = "--root-dir",
      paramLabel = "URI",
      description =
          "Directory of the snapshots: hdfs://, s3a:// or file:///; an HBase root directory or the"
              + " target of ExportSnapshot. Read only.")
  private @Nullable String rootDir;

  @Option(
      names = "--uid-widths",
      paramLabel = "M,K,V",
      description =
          "UID widths of metrics, tag keys and tag values, bytes. Only with --snapshot and without"
              + " --tsd-config (default: 3,3,3).")
  private @Nullable String uidWidths;

  @Option(
      names = "--hbase-property",
      paramLabel = "K=V",
      description =
          "Property of Hadoop or HBase, in addition to those on the class path. Only with"
              + " --snapshot; repeatable.")
  private Map<String, String> hbaseProperties = new LinkedHashMap<>();

  /**
   * Reads the options.
   *
   * @param problems receives the problems found
   * @return valid only without problems, and then not null
   */
  @Nullable Source read(Problems problems) {
    TsdConfigFile tsd = tsdConfig == null ? null : TsdConfigFile.read(Path.of(tsdConfig), problems);
    long millis = Durations.millis("--timeout", timeout, problems);
    if (millis == 0 && timeout.startsWith("0")) {
      problems.add("--timeout must be longer than nothing, found: " + timeout);
    }
    return snapshot == null ? live(tsd, millis, problems) : stored(snapshot, tsd, problems);
  }

  private @Nullable Source live(
      @Nullable TsdConfigFile tsd, long timeoutMillis, Problems problems) {
    if (tsdConfig == null) {
      problems.add(
          "a source is required: --tsd-config for the running HBase, or --snapshot,"
              + " --uid-snapshot and --root-dir");
    }
    problems.refuse("--uid-snapshot", uidSnapshot, SNAPSHOT_ONLY);
    problems.refuse("--root-dir", rootDir, SNAPSHOT_ONLY);
    problems.refuse("--uid-widths", uidWidths, SNAPSHOT_ONLY);
    if (!hbaseProperties.isEmpty()) {
      problems.add("--hbase-property " + SNAPSHOT_ONLY + "; opentsdb.conf has the others");
    }
    HBaseAddress hbase = tsd == null ? null : tsd.hbase(problems);
    return tsd == null || hbase == null
        ? null
        : new Source(tsd.layout(), () -> LiveSource.open(tsd, hbase, timeoutMillis));
  }

  private @Nullable Source stored(String meta, @Nullable TsdConfigFile tsd, Problems problems) {
    String uid = uidSnapshot;
    String root = rootDir;
    if (uid == null) {
      problems.add("--uid-snapshot is required with --snapshot");
    }
    if (root == null) {
      problems.add("--root-dir is required with --snapshot");
    } else if (!root.matches("[A-Za-z][A-Za-z0-9+.-]*:.+")) {
      problems.add("--root-dir must have its scheme (hdfs://, s3a://, file:///), found: " + root);
    }
    TsuidLayout layout = tsd == null ? DEFAULT : tsd.layout();
    if (tsdConfig != null) {
      problems.refuse("--uid-widths", uidWidths, "does not go with --tsd-config, which has them");
    } else if (uidWidths != null && uidWidths.matches("[1-8],[1-8],[1-8]")) {
      layout =
          new TsuidLayout(
              uidWidths.charAt(0) - '0', uidWidths.charAt(2) - '0', uidWidths.charAt(4) - '0');
    } else {
      problems.refuse("--uid-widths", uidWidths, "must be three widths of 1..8 as in 3,3,3");
    }
    return uid == null || root == null ? null : stored(root, meta, uid, layout);
  }

  private Source stored(String root, String meta, String uid, TsuidLayout layout) {
    return new Source(layout, () -> SnapshotSource.open(root, hbaseProperties, meta, uid, layout));
  }
}
