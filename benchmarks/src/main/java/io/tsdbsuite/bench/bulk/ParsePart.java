package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.text.LineOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures text to encoded rows in one thread, without HBase. */
final class ParsePart {
  private static final int ROUNDS = 3;
  private static final double SORTED_AIM = 8;
  private static final double IN_TURN_AIM = 4;

  private static final long LINES = 20_000_000;

  private final Bench bench;

  ParsePart(Bench bench) {
    this.bench = bench;
  }

  void run() throws IOException, InterruptedException {
    bench
        .report()
        .tables()
        .table(
            "Text to rows, one thread",
            "Lines",
            "M lines per CPU second",
            "CPU s: parse, group and spill",
            "merge and encode",
            "Seconds",
            "MB of text per CPU second");
    one("sorted by series", LineOrder.SERIES, SORTED_AIM);
    one("1000 series in turn", LineOrder.TIME, IN_TURN_AIM);
  }

  private void one(String what, LineOrder order, double aim)
      throws IOException, InterruptedException {
    SyntheticShape shape = Shapes.text("bench.text", bench.scaled(LINES, Shapes.TEXT_SERIES));
    Path file = bench.text().files(shape, order, 1).get(0);
    Path runs = Files.createDirectories(bench.dir().resolve("runs"));
    KernelRun run =
        bench
            .loader()
            .kernel("text", file.toString(), "" + shape.points(), "" + ROUNDS, runs.toString());
    double cpu = run.get("read") + run.get("encode");
    double rate = shape.points() / cpu / 1e6;
    bench
        .report()
        .tables()
        .row(
            what,
            Report.number(shape.points()),
            Report.cents(rate),
            Report.cents(run.get("read")),
            Report.cents(run.get("encode")),
            Report.cents(run.get("wall")),
            Report.number(Math.round(Files.size(file) / cpu / 1e6)));
    bench.report().aims().atLeast("text to rows, " + what, " M lines/s per core", aim, rate);
  }
}
