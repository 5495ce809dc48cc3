package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.RowShape;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the whole job on one core and on two, with 1, 4 and 16 times the rows. */
final class ScalingPart implements BenchPart {
  private static final int METRICS = 10;
  private static final String ROUNDS = "3";

  /** Limit of the ratio of CPU per point; a higher ratio is not noise. */
  private static final double GROWTH = 1.1;

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    try (JobServers servers = new JobServers(bench.dir().resolve("scaling"))) {
      int metrics = bench.scaled(METRICS, 1);
      for (int times : new int[] {1, 4, 16}) {
        servers.table("x" + times, RowShape.S3_COMPACTED_60, times * metrics);
      }
      List<String> warm = List.of("kafka@x16", "kafka@x16");
      List<String> sizes = List.of("kafka@x1", "kafka@x4", "kafka@x16");
      KernelRun one =
          servers.run(bench, "local[1]", "2", warm, sizes.subList(sizes.size() - 1, sizes.size()));
      KernelRun two = servers.run(bench, "local[2]", ROUNDS, warm, sizes);
      Report report = bench.report();
      report
          .tables()
          .table(
              "Scaling, 60 points a row", "Points", "CPU ns a point", "Wall s", "Million points/s");
      for (String size : sizes) {
        row(report, "local[2]", size, two);
      }
      row(report, "local[1]", "kafka@x16", one);
      report.atMost(
          "CPU a point of 16 times the rows over that of 1 time",
          "x",
          GROWTH,
          nanos(two, "kafka@x16") / nanos(two, "kafka@x1"));
      report.atMost(
          "CPU a point of two cores over that of one",
          "x",
          GROWTH,
          nanos(two, "kafka@x16") / nanos(one, "kafka@x16"));
    }
  }

  private static double nanos(KernelRun kernel, String run) {
    return 1e9 * kernel.get(run + ".cpu") / kernel.get(run + ".points");
  }

  private static void row(Report report, String master, String run, KernelRun kernel) {
    double points = kernel.get(run + ".points");
    double wall = kernel.get(run + ".wall");
    String name = master + ", " + run.substring(run.indexOf('x'));
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("run", name);
    figure.put("points", points);
    figure.put("cpuNanosPerPoint", nanos(kernel, run));
    figure.put("wallSeconds", wall);
    report.figure("scaling", figure);
    report
        .tables()
        .row(
            name,
            Report.number(points),
            Report.tenths(nanos(kernel, run)),
            Report.tenths(wall),
            Report.tenths(points / wall / 1e6));
  }
}
