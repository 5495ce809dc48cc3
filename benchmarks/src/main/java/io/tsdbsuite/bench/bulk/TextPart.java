package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.text.LineOrder;
import io.tsdbsuite.testkit.ToolRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Measures loads of text into HBase by bulk-loader and by OpenTSDB's {@code tsdb import}. */
final class TextPart {
  private static final long LINES = 100_000_000;
  private static final long IMPORT_LINES = 1_500_000;
  private static final double AIM = 30;
  private static final Pattern IMPORTED =
      Pattern.compile("Total: imported (\\d+) data points in [\\d.]+s \\(([\\d.]+) points/s\\)");

  private final Bench bench;

  TextPart(Bench bench) {
    this.bench = bench;
  }

  void run() throws IOException, InterruptedException {
    bench
        .report()
        .tables()
        .table(
            "Text into HBase",
            "Lines",
            "Lines per second",
            "Times faster",
            "CPU s per million lines: loader",
            "HBase",
            "Seconds: read",
            "sort",
            "write");
    both("sorted by series", LineOrder.SERIES);
    both("1000 series in turn", LineOrder.TIME);
  }

  private void both(String what, LineOrder order) throws IOException, InterruptedException {
    double imported = imported(what, order);
    LoaderRun run = loaded(order);
    double perMillion = run.points() / 1e6;
    bench
        .report()
        .tables()
        .row(
            "bulk-loader, " + what,
            Report.number(run.points()),
            Report.number(Math.round(run.perSecond())),
            Report.seconds(run.perSecond() / imported) + "x",
            Report.cents(run.process().cpuSeconds() / perMillion),
            Report.cents(run.hbaseCpuSeconds() / perMillion),
            Report.seconds(run.phase("read")),
            Report.seconds(run.phase("sort")),
            Report.seconds(run.phase("write")));
    bench
        .report()
        .aims()
        .atLeast("against tsdb import, " + what, "x", AIM, run.perSecond() / imported);
  }

  private LoaderRun loaded(LineOrder order) throws IOException, InterruptedException {
    SyntheticShape shape = Shapes.text("bench.text", bench.scaled(LINES, Shapes.TEXT_SERIES));
    List<Path> files = bench.text().files(shape, order, 1);
    try (Installation to = bench.install("load-" + order.key(), List.of())) {
      LoaderRun run =
          bench
              .loader()
              .run(
                  to,
                  shape.points(),
                  "load",
                  List.of("--mode=put", "--format=opentsdb", "--input", files.get(0).toString()));
      Answers.check(to.tsd(), shape);
      return run;
    }
  }

  /**
   * Lines per second of {@code tsdb import}, by its own clock, which excludes the start of its JVM.
   */
  private double imported(String what, LineOrder order) throws IOException {
    SyntheticShape shape =
        Shapes.text("bench.text", bench.scaled(IMPORT_LINES, Shapes.TEXT_SERIES));
    List<Path> files = bench.text().files(shape, order, 1);
    try (Installation to = bench.install("import-" + order.key(), List.of())) {
      // The import assigns UIDs sequentially; the measured time must not include this.
      to.assign(shape);
      ToolRun tool = to.tsd().tool("TextImporter", files.get(0).toString());
      Matcher said = IMPORTED.matcher(tool.output());
      if (!said.find() || Long.parseLong(said.group(1)) != shape.points()) {
        throw new IllegalStateException(
            "tsdb import must import " + shape.points() + " points, found:\n" + tool.output());
      }
      Answers.check(to.tsd(), shape);
      double rate = Double.parseDouble(said.group(2));
      bench
          .report()
          .tables()
          .row(
              "tsdb import, " + what,
              Report.number(shape.points()),
              Report.number(Math.round(rate)),
              "1.0x",
              "-",
              "-",
              "-",
              "-",
              "-");
      return rate;
    }
  }
}
