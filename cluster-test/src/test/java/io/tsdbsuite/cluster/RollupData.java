package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * The points of {@link Points} in a TSD's tables, and where rollup-job reads them: in an export on
 * HDFS, and below the root of the running HBase, where the snapshot is one of a clone with links
 * and, since it was split, references.
 */
final class RollupData {
  static final String EXPORT = "export";
  static final String LIVE = "live";

  private final ClusterStack stack;
  private final TsdServer tsd;
  private final String tables;
  private int taken;

  private RollupData(ClusterStack stack, TsdServer tsd, String tables) {
    this.stack = stack;
    this.tsd = tsd;
    this.tables = tables;
  }

  /** Writes the points. */
  static RollupData write(ClusterStack stack, String tables) throws IOException {
    TsdServer tsd = stack.tsd(tables);
    tsd.client().put(Points.drawn(), 500);
    return new RollupData(stack, tsd, tables);
  }

  /** Takes the snapshots of both sources. */
  RollupData snapshots() throws IOException {
    HBaseServer hbase = stack.hbase().master();
    hbase.snapshot(tables + "-data", tables + "-data-1");
    hbase.snapshot(tables + "-uid", tables + "-uid-1");
    for (String table : List.of("data", "uid")) {
      hbase.exportSnapshot(tables + "-" + table + "-1", exportRoot(), Map.of());
    }
    try (Admin admin = hbase.connection().getAdmin()) {
      admin.cloneSnapshot(tables + "-data-1", TableName.valueOf(tables + "-clone"));
    }
    byte[] middle = hbase.cells(tables + "-clone").get(Points.METRICS.size() * 10).row();
    hbase.split(tables + "-clone", middle);
    hbase.snapshot(tables + "-clone", tables + "-clone-1");
    return this;
  }

  TsdServer tsd() {
    return tsd;
  }

  String table(String kind) {
    return tables + "-" + kind;
  }

  /** Target of ExportSnapshot. */
  String exportRoot() {
    return stack.hadoop().uri() + "/exports/" + tables;
  }

  /** The TSD's opentsdb.conf and the rollup_config.json, which a driver in a container gets. */
  List<Path> files() {
    Path conf = tsd.configFile();
    return List.of(conf, conf.resolveSibling("rollup_config.json"));
  }

  /** Options that name these files for a driver. */
  List<String> config(Mode mode) {
    Path conf = files().get(0);
    Path rollups = files().get(1);
    return List.of(
        "--tsd-config=" + (mode == Mode.CLIENT ? conf : conf.getFileName()),
        "--rollup-config=" + (mode == Mode.CLIENT ? rollups : rollups.getFileName()));
  }

  /** Options for a source, {@link #EXPORT} or {@link #LIVE}. */
  List<String> source(String source) {
    return source.equals(EXPORT)
        ? List.of(
            "--snapshot-root=" + exportRoot(),
            "--data-snapshot=" + tables + "-data-1",
            "--uid-snapshot=" + tables + "-uid-1")
        : List.of(
            "--snapshot-root=" + stack.hbase().master().rootDir(),
            "--data-snapshot=" + tables + "-clone-1",
            "--uid-snapshot=" + tables + "-uid-1",
            "--tsd.storage.hbase.data_table=" + tables + "-clone");
  }

  /** The same without the snapshot of names. */
  List<String> withoutNames(String source) {
    return source(source).stream().filter(o -> !o.startsWith("--uid-snapshot")).toList();
  }

  /** Takes new snapshots of both tables; options for them below the root of the running HBase. */
  List<String> again() throws IOException {
    HBaseServer hbase = stack.hbase().master();
    String name = tables + "-again-" + ++taken;
    hbase.snapshot(tables + "-data", name + "-data");
    hbase.snapshot(tables + "-uid", name + "-uid");
    return List.of(
        "--snapshot-root=" + hbase.rootDir(),
        "--data-snapshot=" + name + "-data",
        "--uid-snapshot=" + name + "-uid");
  }

  /** Options for the day of the points. */
  static List<String> day() {
    return List.of("--from=" + Points.FROM, "--to=" + Points.TO);
  }

  /** Starts rollup-job. */
  YarnSubmit.Job rollup(YarnSubmit submit, Mode mode, List<List<String>> arguments) {
    if (mode == Mode.CLUSTER) {
      submit.with("--files", files().get(0) + "," + files().get(1));
    }
    List<String> all = new ArrayList<>();
    arguments.forEach(all::addAll);
    // A command comes first.
    all.addAll(config(mode));
    return submit.start(System.getProperty("rollup.jar"), all);
  }
}
