package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.text.LineFormat;
import io.tsdbsuite.synthetic.text.LineOrder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures the reading of one file that cannot be read from any place on. */
final class SharedPart {
  private static final int ROUNDS = 5;
  private static final int THREADS = 2;
  private static final double AIM = 2;
  private static final double NO_LOSS = 0.95;

  private static final long LINES = 10_000_000;

  private final Bench bench;

  SharedPart(Bench bench) {
    this.bench = bench;
  }

  void run() throws IOException, InterruptedException {
    bench
        .report()
        .tables()
        .table(
            "One file into runs",
            "Lines",
            "MB as stored",
            "Seconds: before",
            "one thread",
            "two threads",
            "Times faster",
            "CPU s: before",
            "one thread",
            "two threads",
            "of it the reading thread",
            "decompression alone");
    SyntheticShape shape = Shapes.text("bench.text", bench.scaled(LINES, Shapes.TEXT_SERIES));
    double lines = one("import lines, gzip", shape, file(shape, LineFormat.OPENTSDB, true));
    one("objects of JSON in lines, gzip", shape, file(shape, LineFormat.JSON, true));
    one("an array of JSON", shape, bench.text().array(file(shape, LineFormat.JSON, false)));
    bench.report().aims().atLeast("one gzip file of import lines by two threads", "x", AIM, lines);
  }

  private Path file(SyntheticShape shape, LineFormat format, boolean gzip) {
    return bench.text().files(shape, format, LineOrder.TIME, 1, gzip).get(0);
  }

  private double one(String what, SyntheticShape shape, Path file)
      throws IOException, InterruptedException {
    Path runs = Files.createDirectories(bench.dir().resolve("runs"));
    KernelRun run =
        bench
            .loader()
            .kernel(
                "shared",
                file.toString(),
                "" + shape.points(),
                "" + THREADS,
                "" + ROUNDS,
                runs.toString());
    double faster = run.get("wall0") / run.get("wall2");
    bench
        .report()
        .tables()
        .row(
            what,
            Report.number(shape.points()),
            Report.number(Files.size(file) >> 20),
            Report.cents(run.get("wall0")),
            Report.cents(run.get("wall1")),
            Report.cents(run.get("wall2")),
            Report.cents(faster) + "x",
            Report.cents(run.get("cpu0")),
            Report.cents(run.get("cpu1")),
            Report.cents(run.get("cpu2")),
            Report.cents(run.get("reader2")),
            Report.cents(run.get("decompress")));
    double kept = run.get("wall0") / run.get("wall1");
    bench.report().aims().atLeast("not helped, " + what, "x of before", NO_LOSS, kept);
    return faster;
  }
}
