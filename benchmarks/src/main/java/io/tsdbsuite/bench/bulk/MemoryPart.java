package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.text.LineOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures shuffled lines with little memory. */
final class MemoryPart {
  private static final long LINES = 100_000_000;
  private static final int FILES = 2;
  private static final long MIB = 1 << 20;
  private static final long MEMORY_MIB = 1024;

  private final Bench bench;

  MemoryPart(Bench bench) {
    this.bench = bench;
  }

  void run() throws IOException, InterruptedException {
    SyntheticShape shape = Shapes.text("bench.shuffled", bench.scaled(LINES, Shapes.TEXT_SERIES));
    List<Path> files = bench.text().files(shape, LineOrder.SHUFFLED, FILES);
    List<String> options =
        new ArrayList<>(
            List.of("--mode=put", "--format=opentsdb", "--memory=" + MEMORY_MIB + "m", "--input"));
    files.forEach(file -> options.add(file.toString()));
    try (Installation to = bench.install("shuffled", List.of())) {
      LoaderRun run = bench.loader().run(to, shape.points(), "load", options);
      Answers.check(to.tsd(), shape);
      double peak = (double) run.process().peakBytes() / MIB;
      bench
          .report()
          .tables()
          .table(
              "load --memory " + MEMORY_MIB + "m",
              "Lines",
              "Lines per second",
              "Seconds: read",
              "sort",
              "write",
              "CPU s of the loader",
              "Peak memory, MiB");
      bench
          .report()
          .tables()
          .row(
              "all lines shuffled",
              Report.number(run.points()),
              Report.number(Math.round(run.perSecond())),
              Report.seconds(run.phase("read")),
              Report.seconds(run.phase("sort")),
              Report.seconds(run.phase("write")),
              Report.seconds(run.process().cpuSeconds()),
              Report.number(Math.round(peak)));
      bench
          .report()
          .aims()
          .atMost(
              "peak memory, " + Report.number(run.points()) + " shuffled lines",
              " MiB",
              MEMORY_MIB,
              peak);
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }
}
