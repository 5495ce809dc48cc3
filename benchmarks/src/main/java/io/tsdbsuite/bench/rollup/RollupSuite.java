package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * {@code make bench-rollup}: what rollup-job costs for a point, from HFiles to acknowledged
 * messages.
 *
 * <p>Question: CPU and bytes of reading a table whole and one day of it, of the whole job, and of
 * the names in memory. Peer: HBase's TableSnapshotInputFormat with a straightforward sum of each
 * row; on Spark, with names from a map, Jackson and a producer with its defaults. Tables: a row for
 * each HFile, window, job and number of UIDs; each kernel runs in a JVM of its own.
 */
public final class RollupSuite implements Suite {
  /** Output of the last kernel. */
  static final Path LOG = Path.of("target", "bench-rollup.log");

  private static final List<String> PARTS =
      List.of("read", "window", "job", "aggregators", "uids", "scaling");
  private static final String WORK = "bench-rollup";
  private static final int READ_POINTS = 5_000_000;
  private static final int METRICS = 160;

  /** No further aggregators, three, six; none and sketches. */
  private static final Map<String, String> FURTHER = new LinkedHashMap<>();

  static {
    FURTHER.put("", "4");
    FURTHER.put(";" + JobKernel.AGGREGATORS + "p50,p95,p99", "7");
    FURTHER.put(";" + JobKernel.AGGREGATORS + "p50,p75,p90,p95,p99,p999", "10");
    FURTHER.put(";" + JobKernel.SKETCHES, "4 and a sketch");
  }

  /** Limits of the ratio of CPU, stock to suite, without compression and encoding. */
  private static final Map<RowShape, Double> LESS_CPU =
      new EnumMap<>(
          Map.of(
              RowShape.S1_SINGLE_60, 7.0,
              RowShape.S2_COMPACTED_3600, 6.5,
              RowShape.S3_COMPACTED_60, 5.0,
              RowShape.S4_APPEND_60, 4.5,
              RowShape.S4_APPEND_240, 4.5));

  /** Creates the suite. */
  public RollupSuite() {}

  @Override
  public String question() {
    return "What does rollup-job cost for a point, from HFiles to acknowledged messages?";
  }

  @Override
  public String peer() {
    return "HBase's TableSnapshotInputFormat and straightforward code, alone and on Spark";
  }

  @Override
  public List<String> parts() {
    return PARTS;
  }

  /** A part, optionally with a text that selects figures by name: {@code read:S3}. */
  @Override
  public boolean isPart(String part) {
    return PARTS.contains(part.split(":", 2)[0]);
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    Path dir = WorkDirs.fresh(WORK);
    try {
      for (String part : trial.parts()) {
        String only = part.contains(":") ? part.substring(part.indexOf(':') + 1) : "";
        switch (part.split(":", 2)[0]) {
          case "read" -> read(trial, report, only);
          case "window" -> window(trial, report, only);
          case "job" -> job(trial, report, dir);
          case "aggregators" -> aggregators(trial, report, dir, only);
          case "uids" -> uids(trial, report, dir, only);
          default -> scaling(trial, report, dir);
        }
      }
    } finally {
      WorkDirs.fresh(WORK);
    }
  }

  /** Runs a kernel with an empty directory as first argument. */
  static KernelRun fork(Class<?> kernel, Object... arguments)
      throws IOException, InterruptedException {
    return JvmFork.likeThis(LOG)
        .run(List.of(), kernel.getName(), Arrays.stream(arguments).map(Object::toString).toList());
  }

  private static void read(Trial trial, Report report, String only)
      throws IOException, InterruptedException {
    report.table(
        "HFile | Bytes a point | CPU ns a point: stock way | suite | Less | Bytes allocated a"
            + " point: stock way | suite | GC, % of the time: stock way | suite");
    for (RowShape shape : RowShape.values()) {
      for (Algorithm compression : List.of(Algorithm.NONE, Algorithm.SNAPPY, Algorithm.ZSTD)) {
        for (DataBlockEncoding encoding :
            List.of(DataBlockEncoding.NONE, DataBlockEncoding.FAST_DIFF)) {
          boolean encoded = encoding != DataBlockEncoding.NONE;
          String name = shape + ", " + compression + (encoded ? " " + encoding : "");
          if (name.contains(only)) {
            long points = trial.scaled(READ_POINTS, shape.points());
            KernelRun run = fork(ReadKernel.class, shape, compression, encoding, points, 5);
            double less = run.get("stock.ns") / run.get("suite.ns");
            report.row(
                "%s | %.1f | %.1f | %.1f | %.1fx | %.1f | %.1f | %.1f | %.3f",
                name,
                run.get("bytes"),
                run.get("stock.ns"),
                run.get("suite.ns"),
                less,
                run.get("stock.bytes"),
                run.get("suite.bytes"),
                run.get("stock.gc"),
                run.get("suite.gc"));
            if (compression == Algorithm.NONE && !encoded) {
              double limit = Objects.requireNonNull(LESS_CPU.get(shape));
              report.atLeast("CPU of the stock way over the suite's, " + name, "x", limit, less);
            }
          }
        }
      }
    }
  }

  private static void window(Trial trial, Report report, String only)
      throws IOException, InterruptedException {
    report.table(
        "One day of 180 | CPU s: stock way | suite | Less | MB read: stock way | suite | Less |"
            + " Read calls: stock way | suite | suite, a metric | Wall s: stock way | suite");
    for (int series : List.of(50, 10)) {
      long metrics = 2000 / series;
      String name = metrics + " metrics x " + series + " series";
      if (name.contains(only)) {
        metrics = trial.scaled(metrics, 1);
        KernelRun run = fork(WindowKernel.class, metrics, series, 180, 3);
        double cpu = run.get("stock.cpu") / run.get("suite.cpu");
        double bytes = run.get("stock.bytes") / run.get("suite.bytes");
        double reads = run.get("suite.reads") / metrics;
        report.row(
            "%s | %.3f | %.3f | %.1fx | %.1f | %.1f | %.1fx | %,.0f | %,.0f | %.1f | %.3f | %.3f",
            name,
            run.get("stock.cpu"),
            run.get("suite.cpu"),
            cpu,
            run.get("stock.bytes") / 1e6,
            run.get("suite.bytes") / 1e6,
            bytes,
            run.get("stock.reads"),
            run.get("suite.reads"),
            reads,
            run.get("stock.wall"),
            run.get("suite.wall"));
        report.atLeast("CPU of the stock way over the suite's, " + name, "x", 80, cpu);
        report.atLeast("bytes of the stock way over the suite's, " + name, "x", 60, bytes);
        // One for the day's rows, one for the seek to the next metric, indexes.
        report.atMost("read calls of the suite for a metric, " + name, "", 2.5, reads);
      }
    }
  }

  private static void job(Trial trial, Report report, Path dir)
      throws IOException, InterruptedException {
    String whole = "kafka@all";
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put(whole, "suite, 60 points a row");
    rows.put(
        whole + ";--rollups-per-message=24", "suite, 60 points a row, 24 rollups in a message");
    rows.put(
        whole + ";--rollups-per-message=24;" + JobKernel.ARRAYS,
        "suite, 60 points a row, 24 rollups in a message of arrays");
    rows.put(
        whole + ";--kafka-property=compression.zstd.level=3",
        "suite, 60 points a row, zstd level 3");
    rows.put(whole + ";--kafka-property=compression.type=lz4", "suite, 60 points a row, lz4");
    rows.put("kafka@long", "suite, 3600 points a row");
    rows.put("kafka@part", "suite, a quarter of the rows");
    KernelRun suite;
    KernelRun stock;
    try (JobServers servers = new JobServers(dir.resolve("job"), true)) {
      int metrics = (int) trial.scaled(METRICS, 4);
      servers.table("all", RowShape.S3_COMPACTED_60, metrics);
      servers.table("part", RowShape.S3_COMPACTED_60, metrics / 4);
      servers.table("long", RowShape.S2_COMPACTED_3600, Math.max(1, metrics / 80));
      suite = servers.day("local[2]", 2, 3, List.copyOf(rows.keySet()));
      stock = servers.day("local[2]", 1, 2, List.of("stock@part"));
    }
    report.table(
        "Job on local[2] | Points | Messages | Million points a second and core (CPU) | Million"
            + " points a second (wall) | CPU ns a point: job | S3 server | broker | CPU us a"
            + " message | GC, % of the time");
    rows.forEach((run, name) -> job(report, name, suite, run));
    job(report, "stock way, a quarter of the rows", stock, "stock@part");
    report.atLeast(
        "million points a second and core, the job from its begin to its end, 60 points a row",
        "",
        3,
        suite.get(whole + ".points") / suite.get(whole + ".cpu") / 1e6);
    report.atMost(
        "garbage collection, share of the job's time",
        " %",
        2,
        100 * suite.get(whole + ".gc") / suite.get(whole + ".wall"));
  }

  private static void job(Report report, String name, KernelRun kernel, String run) {
    double points = kernel.get(run + ".points");
    double messages = kernel.get(run + ".messages");
    double cpu = kernel.get(run + ".cpu");
    double wall = kernel.get(run + ".wall");
    report.row(
        "%s | %,.0f | %,.0f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f",
        name,
        points,
        messages,
        points / cpu / 1e6,
        points / wall / 1e6,
        1e9 * cpu / points,
        1e9 * kernel.get(run + ".server1") / points,
        1e9 * kernel.get(run + ".server0") / points,
        1e6 * cpu / messages,
        100 * kernel.get(run + ".gc") / wall);
  }

  /** What further aggregators of all metrics cost. */
  private static void aggregators(Trial trial, Report report, Path dir, String only)
      throws IOException, InterruptedException {
    Map<String, String> ways = new LinkedHashMap<>();
    ways.put("kafka@all;--interval=1h", "60 points a row, 1h to Kafka");
    ways.put("kafka@all;--interval=1h,1d", "60 points a row, 1h and 1d to Kafka");
    ways.put("kafka@long;--interval=1h", "3600 points a row, 1h to Kafka");
    ways.put("hfile@all;--interval=1h", "60 points a row, 1h to HFiles");
    ways.values().removeIf(name -> !name.contains(only));
    List<String> runs = new ArrayList<>();
    for (String way : ways.keySet()) {
      for (String further : FURTHER.keySet()) {
        runs.add(way + further);
      }
    }
    KernelRun kernel;
    try (JobServers servers = new JobServers(dir.resolve("aggregators"), false)) {
      int metrics = (int) trial.scaled(METRICS / 4, 4);
      servers.table("all", RowShape.S3_COMPACTED_60, metrics);
      servers.table("long", RowShape.S2_COMPACTED_3600, Math.max(1, metrics / 20));
      kernel = servers.day("local[2]", 1, 3, runs);
    }
    report.table(
        "Aggregators | Number | Rollups | CPU ns a point | CPU over that of 4 | Wall s | Bytes a"
            + " rollup in HFiles");
    ways.forEach(
        (way, name) -> {
          double four = kernel.get(way + ".cpu");
          FURTHER.forEach(
              (further, number) -> {
                String run = way + further;
                double bytes = kernel.get(run + ".bytes") / kernel.get(run + ".rollups");
                report.row(
                    "%s | %s | %,.0f | %.1f | %.2f | %.1f | %s",
                    name,
                    number,
                    kernel.get(run + ".rollups"),
                    1e9 * kernel.get(run + ".cpu") / kernel.get(run + ".points"),
                    kernel.get(run + ".cpu") / four,
                    kernel.get(run + ".wall"),
                    bytes == 0 ? "-" : Report.tenths(bytes));
              });
        });
  }

  private static void uids(Trial trial, Report report, Path dir, String only)
      throws IOException, InterruptedException {
    report.table(
        "UIDs | Million UIDs/s from the snapshot (wall) | CPU ns a UID | Bytes a UID: heap |"
            + " Broadcast: wall s | MB");
    // 3 bytes, the default, have 16.7 million UIDs.
    int width = 4;
    for (int size : List.of(1_000_000, 10_000_000, 20_000_000)) {
      if (Integer.toString(size).contains(only)) {
        int tagvs = (int) trial.scaled(size, 1000);
        Tables tables = new Tables(WorkDirs.fresh(dir.resolve("uids").toString()));
        tables.uids(width, tagvs);
        List<String> arguments = new ArrayList<>(Settings.spark("local[1]"));
        arguments.addAll(
            List.of("root=" + tables.uri(), "tagvs=" + tagvs, "width=" + width, "rounds=3"));
        // 20 million names must fit twice, as dictionary and broadcast.
        KernelRun run =
            JvmFork.likeThis(LOG)
                .run(List.of("-Xms3g", "-Xmx3g"), UidKernel.class.getName(), arguments);
        double uids = run.get("loaded");
        double rate = uids / run.get("load.wall") / 1e6;
        double heap = run.get("heap") / uids;
        String name = Report.number(uids);
        report.row(
            "%s | %.1f | %,.0f | %.1f | %.1f | %,.0f",
            name,
            rate,
            1e9 * run.get("load.cpu") / uids,
            heap,
            run.get("broadcast.wall"),
            run.get("broadcast.bytes") / 1e6);
        report.atMost("heap bytes a UID, names of 30 bytes, " + name, "", 64, heap);
        report.atMost("bytes a UID, sparse, " + name, "", 64, run.get("sparse.bytes") / tagvs);
        report.atLeast("million UIDs a second from the snapshot, " + name, "", 1, rate);
      }
    }
  }

  private static void scaling(Trial trial, Report report, Path dir)
      throws IOException, InterruptedException {
    List<String> sizes = List.of("kafka@x1", "kafka@x4", "kafka@x16");
    KernelRun one;
    KernelRun two;
    try (JobServers servers = new JobServers(dir.resolve("scaling"), true)) {
      int metrics = (int) trial.scaled(METRICS / 16, 1);
      for (int times : List.of(1, 4, 16)) {
        servers.table("x" + times, RowShape.S3_COMPACTED_60, times * metrics);
      }
      one = servers.day("local[1]", 2, 2, sizes.subList(2, 3));
      two = servers.day("local[2]", 2, 3, sizes);
    }
    report.table("Scaling, 60 points a row | Points | CPU ns a point | Wall s | Million points/s");
    double small = scaling(report, "local[2], x1", two, "kafka@x1");
    scaling(report, "local[2], x4", two, "kafka@x4");
    double large = scaling(report, "local[2], x16", two, "kafka@x16");
    double core = scaling(report, "local[1], x16", one, "kafka@x16");
    report.atMost("CPU a point of 16 times the rows over that of 1 time", "x", 1.1, large / small);
    report.atMost("CPU a point of two cores over that of one", "x", 1.1, large / core);
  }

  /** Returns the CPU of a point, nanoseconds. */
  private static double scaling(Report report, String name, KernelRun kernel, String run) {
    double points = kernel.get(run + ".points");
    double wall = kernel.get(run + ".wall");
    double nanos = 1e9 * kernel.get(run + ".cpu") / points;
    report.row("%s | %,.0f | %.1f | %.1f | %.1f", name, points, nanos, wall, points / wall / 1e6);
    return nanos;
  }
}
