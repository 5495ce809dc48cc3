package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures one day out of 180: 8.64 million rows, 1.6 GB, one HFile. */
final class WindowPart implements BenchPart {
  private static final int DAYS = 180;
  private static final int ROUNDS = 3;
  private static final double LESS_CPU = 80;
  private static final double LESS_BYTES = 60;

  /** Requests per metric: one for the day's rows, one for the seek to the next metric, indexes. */
  private static final double REQUESTS = 2.5;

  private static final double MB = 1e6;

  /**
   * Dimensions of the table.
   *
   * @param metrics number of metrics
   * @param series number of series per metric
   */
  private record Table(int metrics, int series) {
    @Override
    public String toString() {
      return metrics + " metrics x " + series + " series";
    }
  }

  private static final List<Table> TABLES = List.of(new Table(40, 50), new Table(200, 10));

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    bench
        .report()
        .tables()
        .table(
            "One day of 180",
            "CPU s: stock way",
            "suite",
            "Less",
            "MB read: stock way",
            "suite",
            "Less",
            "Read calls: stock way",
            "suite",
            "suite, a metric",
            "Wall s: stock way",
            "suite");
    for (Table table : TABLES) {
      if (bench.wants(table.toString())) {
        KernelRun run =
            bench.fork(
                WindowKernel.class, bench.scaled(table.metrics, 1), table.series, DAYS, ROUNDS);
        report(bench, table, bench.scaled(table.metrics, 1), run);
      }
    }
  }

  private static void report(Bench bench, Table table, int metrics, KernelRun run) {
    double cpu = run.get("stock.cpu") / run.get("suite.cpu");
    double bytes = run.get("stock.bytes") / run.get("suite.bytes");
    double requests = run.get("suite.reads") / metrics;
    Report report = bench.report();
    Map<String, Object> figure = new LinkedHashMap<>();
    figure.put("table", table.toString());
    for (String way : List.of("stock", "suite")) {
      figure.put(way + "CpuSeconds", run.get(way + ".cpu"));
      figure.put(way + "WallSeconds", run.get(way + ".wall"));
      figure.put(way + "BytesRead", run.get(way + ".bytes"));
      figure.put(way + "ReadCalls", run.get(way + ".reads"));
      figure.put(way + "FilesOpened", run.get(way + ".opens"));
    }
    report.figure("window", figure);
    report
        .tables()
        .row(
            table.toString(),
            Report.thousandths(run.get("stock.cpu")),
            Report.thousandths(run.get("suite.cpu")),
            Report.times(cpu),
            Report.tenths(run.get("stock.bytes") / MB),
            Report.tenths(run.get("suite.bytes") / MB),
            Report.times(bytes),
            Report.number(run.get("stock.reads")),
            Report.number(run.get("suite.reads")),
            Report.tenths(requests),
            Report.thousandths(run.get("stock.wall")),
            Report.thousandths(run.get("suite.wall")));
    report.atLeast("CPU of the stock way over the suite's, " + table, "x", LESS_CPU, cpu);
    report.atLeast("bytes of the stock way over the suite's, " + table, "x", LESS_BYTES, bytes);
    report.atMost("read calls of the suite for a metric, " + table, "", REQUESTS, requests);
  }
}
