package io.tsdbsuite.report.cli;

import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.report.live.LiveSource;
import io.tsdbsuite.report.model.MetaSource;
import io.tsdbsuite.report.model.TsdConfigFile;
import io.tsdbsuite.report.snapshot.SnapshotSource;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select the source: a running HBase or snapshots. */
final class SourceOptions {
  /** Opens the selected source. */
  interface Opening {
    MetaSource open();
  }

  private static final Opening INVALID =
      () -> {
        throw new IllegalStateException("a source whose options have problems is not opened");
      };

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

  private TsuidLayout layout = new TsuidLayout(3, 3, 3);

  /**
   * Checks the options.
   *
   * @param problems receives the problems
   * @return opens the source; valid only if there are no problems
   */
  Opening check(List<String> problems) {
    TsdConfigFile tsd =
        tsdConfig == null ? null : TsdConfigFile.read(Paths.get(tsdConfig), problems);
    if (tsd != null) {
      layout = tsd.layout();
    }
    long timeoutMillis = Durations.millis("--timeout", timeout, problems);
    if (timeoutMillis == 0 && timeout.startsWith("0")) {
      problems.add("--timeout must be longer than nothing, found: " + timeout);
    }
    String meta = snapshot;
    if (meta == null) {
      live(problems);
      HBaseAddress hbase = tsd == null ? null : tsd.hbase(problems);
      return tsd == null || hbase == null ? INVALID : ofTables(tsd, hbase, timeoutMillis);
    }
    snapshot(problems);
    return rootDir == null || uidSnapshot == null
        ? INVALID
        : ofSnapshots(rootDir, meta, uidSnapshot);
  }

  private static Opening ofTables(TsdConfigFile tsd, HBaseAddress hbase, long timeoutMillis) {
    return () -> LiveSource.open(tsd, hbase, timeoutMillis);
  }

  private Opening ofSnapshots(String root, String meta, String uid) {
    return () -> SnapshotSource.open(root, hbaseProperties, meta, uid, layout);
  }

  /** UID widths, bytes; set by {@link #check}. */
  TsuidLayout layout() {
    return layout;
  }

  private void live(List<String> problems) {
    if (tsdConfig == null) {
      problems.add(
          "a source is required: --tsd-config for the running HBase, or --snapshot,"
              + " --uid-snapshot and --root-dir");
    }
    refuse("--uid-snapshot", uidSnapshot, "goes with --snapshot only", problems);
    refuse("--root-dir", rootDir, "goes with --snapshot only", problems);
    refuse("--uid-widths", uidWidths, "goes with --snapshot only", problems);
    if (!hbaseProperties.isEmpty()) {
      problems.add("--hbase-property goes with --snapshot only; opentsdb.conf has the others");
    }
  }

  private void snapshot(List<String> problems) {
    if (uidSnapshot == null) {
      problems.add("--uid-snapshot is required with --snapshot");
    }
    if (rootDir == null) {
      problems.add("--root-dir is required with --snapshot");
    } else if (!rootDir.matches("[A-Za-z][A-Za-z0-9+.-]*:.+")) {
      problems.add(
          "--root-dir must have its scheme (hdfs://, s3a://, file:///), found: " + rootDir);
    }
    if (uidWidths == null) {
      return;
    }
    if (tsdConfig != null) {
      refuse("--uid-widths", uidWidths, "does not go with --tsd-config, which has them", problems);
    } else if (uidWidths.matches("[1-8],[1-8],[1-8]")) {
      layout =
          new TsuidLayout(
              uidWidths.charAt(0) - '0', uidWidths.charAt(2) - '0', uidWidths.charAt(4) - '0');
    } else {
      problems.add("--uid-widths must be three widths of 1..8 as in 3,3,3, found: " + uidWidths);
    }
  }

  private static void refuse(
      String option, @Nullable String value, String rule, List<String> problems) {
    if (value != null) {
      problems.add(option + " " + rule + ", found: " + value);
    }
  }
}
