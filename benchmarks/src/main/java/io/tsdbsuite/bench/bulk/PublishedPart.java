package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.synthetic.SyntheticShape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Measures a year of 128 sensors at 1 Hz by HFiles with the bulk load, and its single steps. */
final class PublishedPart {
  private static final int YEAR_DAYS = 365;
  private static final int REGIONS = 4;
  private static final int THREADS = 2;
  private static final double AIM = 110;
  private static final int CHUNK = 1 << 20;

  private final Bench bench;

  PublishedPart(Bench bench) {
    this.bench = bench;
  }

  void run() throws IOException, InterruptedException {
    SyntheticShape shape =
        Shapes.seconds("bench.year", Math.max(REGIONS, bench.scaled(YEAR_DAYS, 1)));
    long days = shape.span().toDays();
    List<byte[]> splits = Keys.splits(Shapes.START.getEpochSecond(), days * 24, REGIONS);
    Report report = bench.report();
    report
        .tables()
        .table(
            "128 sensors, 1 Hz, " + days + " days",
            "M points",
            "Seconds",
            "M points per second",
            "CPU s: loader",
            "HBase",
            "MB",
            "MB per second");
    try (Installation to = bench.install("year", splits)) {
      LoaderRun run = load(to, shape);
      long bytes = run.count("bytesWritten");
      report
          .tables()
          .row(
              fields(
                  "generate --mode hfile, JVM start to end",
                  run.points(),
                  run.process().seconds(),
                  Report.seconds(run.process().cpuSeconds()),
                  Report.seconds(run.hbaseCpuSeconds()),
                  bytes));
      phase("of which making and writing HFiles", run, "write", bytes);
      phase("of which HBase's bulk load", run, "bulkLoad", bytes);
      report
          .aims()
          .atLeast("a year of 128 sensors by HFiles", " M points/s", AIM, run.perSecond() / 1e6);
      long compared = Answers.check(to.tsd(), shape);
      System.out.println("TSD queries over it: " + compared + " numbers equal");
      long part = Math.max(REGIONS, days / 4);
      kernel(
          "making rows alone, 2 threads", bench.loader().kernel("encode", "" + part, "" + THREADS));
      kernel(
          "writing HFiles alone, 2 threads",
          bench
              .loader()
              .kernel(
                  "hfile",
                  to.tsd().configFile().toString(),
                  to.hfileDir(),
                  "" + part,
                  "" + THREADS));
      raw(shape.points(), bytes);
    }
  }

  private LoaderRun load(Installation to, SyntheticShape shape)
      throws IOException, InterruptedException {
    List<String> options = Shapes.options(shape);
    options.addAll(List.of("--mode=hfile", "--hfile-dir=" + to.hfileDir()));
    return bench.loader().run(to, shape.points(), "generate", options);
  }

  private void phase(String what, LoaderRun run, String phase, long bytes) {
    bench.report().tables().row(fields(what, run.points(), run.phase(phase), "", "", bytes));
  }

  private void kernel(String what, KernelRun run) {
    bench
        .report()
        .tables()
        .row(
            fields(
                what,
                (long) run.get("points"),
                run.get("seconds"),
                Report.seconds(run.process().cpuSeconds()),
                "-",
                run.values().containsKey("bytes") ? (long) run.get("bytes") : 0));
  }

  /** Writes the same number of bytes in chunks, as dd does; with and without fsync. */
  private void raw(long points, long bytes) throws IOException {
    Path file = bench.dir().resolve("raw");
    byte[] random = new byte[CHUNK];
    new Random(1).nextBytes(random);
    ByteBuffer chunk = ByteBuffer.wrap(random);
    long begin = System.nanoTime();
    double written;
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (long done = 0; done < bytes; done += chunk.position()) {
        chunk.clear().limit((int) Math.min(CHUNK, bytes - done));
        while (chunk.hasRemaining()) {
          out.write(chunk);
        }
      }
      written = (System.nanoTime() - begin) / 1e9;
      out.force(true);
    } finally {
      Files.deleteIfExists(file);
    }
    double forced = (System.nanoTime() - begin) / 1e9;
    bench
        .report()
        .tables()
        .row(fields("as many bytes to a file", points, written, "-", "-", bytes));
    bench
        .report()
        .tables()
        .row(fields("the same, on the disk (fsync)", points, forced, "-", "-", bytes));
  }

  private static String[] fields(
      String what, long points, double seconds, String cpu, String hbase, long bytes) {
    List<String> fields = new ArrayList<>();
    fields.add(what);
    fields.add(Report.millions((double) points));
    fields.add(Report.seconds(seconds));
    fields.add(Report.millions(points / seconds));
    fields.add(cpu);
    fields.add(hbase);
    fields.add(bytes == 0 ? "-" : Report.number(bytes / 1_000_000));
    fields.add(bytes == 0 ? "-" : Report.number(Math.round(bytes / seconds / 1e6)));
    return fields.toArray(new String[0]);
  }
}
