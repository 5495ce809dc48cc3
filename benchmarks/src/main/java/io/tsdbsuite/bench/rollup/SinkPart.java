package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measures the whole job on one core: to Kafka with names, and into HFiles with UIDs. */
final class SinkPart implements BenchPart {
  private static final int METRICS = 20;
  private static final int SERIES = 500;
  private static final int HOURS = 24;
  private static final int ROUNDS = 2;

  /** The sink with fewer steps must not be slower. */
  private static final double FASTER = 1;

  private static final String NAME = "60 points a row, compacted, local[1]";

  @Override
  public void run(Bench bench) throws IOException, InterruptedException {
    if (!bench.wants(NAME)) {
      return;
    }
    KernelRun run = bench.fork(SinkKernel.class, bench.scaled(METRICS, 1), SERIES, HOURS, ROUNDS);
    Report report = bench.report();
    report
        .tables()
        .table(
            "Sink, " + NAME,
            "Points",
            "Rollups",
            "Wall s of reading to stored",
            "Points/s",
            "CPU s");
    Map<String, Object> figure = new LinkedHashMap<>();
    for (String sink : new String[] {"kafka", "hfile"}) {
      double points = run.get(sink + ".points");
      double rate = points / run.get(sink + ".wall");
      figure.put(sink + "Points", points);
      figure.put(sink + "Rollups", run.get(sink + ".rollups"));
      figure.put(sink + "WallSeconds", run.get(sink + ".wall"));
      figure.put(sink + "PointsPerSecond", rate);
      figure.put(sink + "CpuSeconds", run.get(sink + ".cpu"));
      report
          .tables()
          .row(
              sink,
              Report.number(points),
              Report.number(run.get(sink + ".rollups")),
              Report.thousandths(run.get(sink + ".wall")),
              Report.number(rate),
              Report.thousandths(run.get(sink + ".cpu")));
    }
    report.figure("sink", figure);
    report.atLeast(
        "points a second of --sink hfile over those of Kafka, " + NAME,
        "x",
        FASTER,
        run.get("kafka.wall")
            / run.get("kafka.points")
            / (run.get("hfile.wall") / run.get("hfile.points")));
  }
}
