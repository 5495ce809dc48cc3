package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the whole job on two cores over 5,000 regions of ten small HFiles. */
final class SmallTablePart implements BenchPart {
  private static final int REGIONS = 5_000;
  private static final int FILES = 10;
  private static final int ROUNDS = 1;
  private static final String MASTER = "local[2]";
  private static final double MILLION = 1e6;

  /** Limit of the points a second of the roll up, millions. */
  private static final double AIM = 8;

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    int regions = bench.scaled(REGIONS, 1);
    KernelRun run = bench.fork(SmallTableKernel.class, regions, FILES, MASTER, ROUNDS);
    Report report = bench.report();
    report
        .tables()
        .table(
            "Whole job, " + regions + " regions x " + FILES + " HFiles, " + MASTER,
            "Points",
            "Plan s",
            "Roll up s",
            "M points/s of the roll up",
            "CPU s of the job");
    for (String sink : List.of(WholeJob.KAFKA, WholeJob.KAFKA_24, WholeJob.HFILE)) {
      double rate = run.get(sink + ".points") / run.get(sink + ".wall") / MILLION;
      Map<String, Object> figure = new LinkedHashMap<>();
      figure.put("sink", sink);
      figure.put("points", run.get(sink + ".points"));
      figure.put("planSeconds", run.get(sink + ".plan"));
      figure.put("rollUpSeconds", run.get(sink + ".wall"));
      figure.put("cpuSeconds", run.get(sink + ".cpu"));
      report.figure("smallTable", figure);
      report
          .tables()
          .row(
              sink,
              Report.number(run.get(sink + ".points")),
              Report.tenths(run.get(sink + ".plan")),
              Report.tenths(run.get(sink + ".wall")),
              Report.tenths(rate),
              Report.tenths(run.get(sink + ".cpu")));
      report.atLeast("million points a second, small HFiles, --sink " + sink, "", AIM, rate);
    }
  }
}
