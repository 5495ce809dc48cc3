package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.rollup.job.UidKernel;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the UID dictionary with 1, 10 and 20 million names of 30 bytes. */
final class UidsPart implements BenchPart {
  private static final List<Integer> SIZES = List.of(1_000_000, 10_000_000, 20_000_000);
  private static final int ROUNDS = 3;

  /** Of all UIDs, bytes: 3, the default, has 16.7 million. */
  private static final int WIDTH = 4;

  private static final String WORK = "bench-rollup-uids";

  /** Of the kernel: 20 million names must fit twice, as dictionary and broadcast. */
  private static final String HEAP = "3g";

  private static final double BYTES = 64;
  private static final double MILLION_UIDS = 1;

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    bench
        .report()
        .tables()
        .table(
            "UIDs",
            "Million UIDs/s from the snapshot (wall)",
            "CPU ns a UID",
            "Builder by itself, CPU ns a UID",
            "Bytes a UID: heap",
            "serialised",
            "Serialisation, CPU ns a UID",
            "Broadcast: wall s",
            "MB",
            "Lookup ns: dense, random",
            "dense, row order",
            "sparse, random",
            "sparse, row order");
    for (int size : SIZES) {
      int tagvs = bench.scaled(size, 1000);
      if (bench.wants(Integer.toString(size))) {
        Path root = WorkDirs.fresh(WORK);
        try {
          JobNames.write(TestTable.conf(root), root, JobServers.UIDS, WIDTH, tagvs, 1);
          report(
              bench.report(),
              bench.fork(
                  List.of("-Xms" + HEAP, "-Xmx" + HEAP),
                  UidKernel.class,
                  "root=" + TestTable.uri(root),
                  "uids=" + JobServers.UIDS,
                  "tagvs=" + tagvs,
                  "width=" + WIDTH,
                  "master=local[1]",
                  "rounds=" + ROUNDS));
        } finally {
          WorkDirs.fresh(WORK);
        }
      }
    }
  }

  private static void report(Report report, KernelRun run) {
    double uids = run.get("loaded");
    double tagvs = run.get("tagvs");
    double rate = uids / run.get("load.wall") / 1e6;
    double heap = run.get("heap") / uids;
    String name = Report.number(uids);
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("uids", uids);
    figure.put("loadedPerSecond", 1e6 * rate);
    figure.put("loadCpuNanos", 1e9 * run.get("load.cpu") / uids);
    figure.put("builderCpuNanos", 1e9 * run.get("dense.build.cpu") / tagvs);
    figure.put("heapBytes", heap);
    figure.put("serialisedBytes", run.get("serial.bytes") / uids);
    figure.put("serialisationCpuNanos", 1e9 * run.get("serial.cpu") / uids);
    figure.put("broadcastSeconds", run.get("broadcast.wall"));
    figure.put("broadcastCpuSeconds", run.get("broadcast.cpu"));
    figure.put("broadcastBytes", run.get("broadcast.bytes"));
    figure.put("sparseBytes", run.get("sparse.bytes") / tagvs);
    for (String lookup : List.of("dense.random", "dense.rows", "sparse.random", "sparse.rows")) {
      figure.put(lookup + "LookupNanos", run.get(lookup + ".ns"));
    }
    report.figure("uids", figure);
    report
        .tables()
        .row(
            name,
            Report.tenths(rate),
            Report.number(1e9 * run.get("load.cpu") / uids),
            Report.tenths(1e9 * run.get("dense.build.cpu") / tagvs),
            Report.tenths(heap),
            Report.tenths(run.get("serial.bytes") / uids),
            Report.tenths(1e9 * run.get("serial.cpu") / uids),
            Report.tenths(run.get("broadcast.wall")),
            Report.number(run.get("broadcast.bytes") / 1e6),
            Report.tenths(run.get("dense.random.ns")),
            Report.tenths(run.get("dense.rows.ns")),
            Report.tenths(run.get("sparse.random.ns")),
            Report.tenths(run.get("sparse.rows.ns")));
    report.atMost("heap bytes a UID, names of 30 bytes, " + name, "", BYTES, heap);
    report.atMost("bytes a UID, sparse, " + name, "", BYTES, run.get("sparse.bytes") / tagvs);
    report.atLeast("million UIDs a second from the snapshot, " + name, "", MILLION_UIDS, rate);
  }
}
