package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.util.LinkedHashMap;
import java.util.Map;

/** Table of the job's runs, one line per run. */
final class JobTable {
  private static final double MILLION = 1e6;
  private static final double NANOS = 1e9;

  private final Report report;

  JobTable(Report report) {
    this.report = report;
    report
        .tables()
        .table(
            "Job on local[2]",
            "Points",
            "Messages",
            "Million points a second and core (CPU)",
            "Million points a second (wall)",
            "CPU ns a point: job",
            "of it the roll up",
            "S3 server",
            "broker",
            "CPU us a message",
            "GC, % of the time",
            "Bytes allocated a point");
  }

  /**
   * Adds a line.
   *
   * @param run name of the run in the kernel
   */
  void row(String name, KernelRun kernel, String run) {
    double points = kernel.get(run + ".points");
    double messages = kernel.get(run + ".messages");
    double cpu = kernel.get(run + ".cpu");
    double wall = kernel.get(run + ".wall");
    double gc = 100 * kernel.get(run + ".gc") / wall;
    double rollUp = NANOS * kernel.get(run + ".rollUp.cpu") / points;
    double s3 = NANOS * kernel.get(run + ".s3Cpu") / points;
    double kafka = NANOS * kernel.get(run + ".kafkaCpu") / points;
    double bytes = kernel.get(run + ".tasksBytes") / points;
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("job", name);
    figure.put("points", points);
    figure.put("messages", messages);
    figure.put("cpuSeconds", cpu);
    figure.put("wallSeconds", wall);
    figure.put("pointsPerSecondAndCore", points / cpu);
    figure.put("rollUpCpuNanosPerPoint", rollUp);
    figure.put("s3CpuNanosPerPoint", s3);
    figure.put("brokerCpuNanosPerPoint", kafka);
    figure.put("gcPercent", gc);
    figure.put("allocatedBytesPerPoint", bytes);
    report.figure("job", figure);
    report
        .tables()
        .row(
            name,
            Report.number(points),
            Report.number(messages),
            Report.tenths(points / cpu / MILLION),
            Report.tenths(points / wall / MILLION),
            Report.tenths(NANOS * cpu / points),
            Report.tenths(rollUp),
            Report.tenths(s3),
            Report.tenths(kafka),
            Report.tenths(MILLION * cpu / messages),
            Report.tenths(gc),
            Report.tenths(bytes));
  }
}
