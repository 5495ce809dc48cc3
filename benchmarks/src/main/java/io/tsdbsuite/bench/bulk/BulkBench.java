package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Samples;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.bench.measure.Way;
import io.tsdbsuite.synthetic.SyntheticShape;
import io.tsdbsuite.synthetic.text.LineFormat;
import io.tsdbsuite.synthetic.text.LineOrder;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.ToolRun;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code make bench-load}: bin/bulk-loader as a user runs it, against a real HBase and a TSD, and
 * its reading of text by itself.
 */
public final class BulkBench implements Suite {
  private static final String WORK = "bench-load";

  /** Required disk space: HFiles, a file of the same size, text, and files HBase still keeps. */
  private static final double BYTES = 40e9;

  private static final long LEAST_BYTES = 2_000_000_000;

  private static final int YEAR_DAYS = 365;
  private static final int REGIONS = 4;
  private static final int PUT_ROUNDS = 3;
  private static final long DENSE_DAYS = 9;
  private static final long SPARSE_HOURS = 500;
  private static final long LINES = 100_000_000;
  private static final long IMPORT_LINES = 1_500_000;
  private static final long SHARED_LINES = 10_000_000;
  private static final long JSON_LINES = 50_000_000;
  private static final int MEMORY_MIB = 1024;
  private static final int CHUNK = 1 << 20;
  private static final String SORTED = "sorted by series";
  private static final String IN_TURN = "1000 series in turn";

  private static final Pattern IMPORTED =
      Pattern.compile("Total: imported (\\d+) data points in [\\d.]+s \\(([\\d.]+) points/s\\)");

  /**
   * Configuration of HBase: a bulk load moves files, as on HDFS; memstores, reports and handlers
   * have HBase's defaults; files of dropped tables are deleted at once.
   */
  private static final Map<String, String> HBASE =
      Map.of(
          "fs.file.impl", "io.tsdbsuite.testkit.server.MovingLocalFileSystem",
          "hbase.hregion.memstore.flush.size", String.valueOf(128 << 20),
          "hbase.regionserver.msginterval", "3000",
          "hbase.regionserver.handler.count", "30",
          "hbase.master.hfilecleaner.ttl", "1000",
          "hbase.master.cleaner.interval", "10000");

  @Override
  public String question() {
    return "How fast does bulk-loader store points, by HFiles, puts and from text?";
  }

  @Override
  public String peer() {
    return "tsdb import for text; aims for the others";
  }

  @Override
  public List<String> parts() {
    return List.of("hfile", "put", "text", "json", "shared", "memory");
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    report.fact("HBase 2.6.4, TSD 2.4.1 and the loader share the machine");
    Path dir = WorkDirs.fresh(WORK);
    long needed = (long) Math.max(LEAST_BYTES, BYTES * trial.scale());
    long free = Files.getFileStore(dir).getUsableSpace();
    if (free < needed) {
      throw new IllegalStateException(
          dir + " must have " + needed + " bytes free for this scale, found " + free);
    }
    Path jar = Trial.jar("bulk-loader", "all");
    try (Stack stack = Stack.in(dir.resolve("servers")).hbase(HBASE).optimized().start()) {
      Run run = new Run(stack, new Loader(jar, dir.resolve("loader")), dir, trial, report);
      for (String part : trial.parts()) {
        System.out.println("part " + part);
        switch (part) {
          case "hfile" -> run.hfiles();
          case "put" -> run.puts();
          case "text" -> run.text();
          case "json" -> run.json();
          case "shared" -> run.shared();
          default -> run.memory();
        }
      }
    } finally {
      WorkDirs.fresh(WORK);
    }
  }

  /**
   * The parts over running servers.
   *
   * @param dir for files of this run, on HBase's disk
   */
  private record Run(Stack stack, Loader loader, Path dir, Trial trial, Report report) {
    /** A year of 128 sensors at 1 Hz by HFiles, and as many bytes to a file. */
    void hfiles() throws IOException, InterruptedException {
      SyntheticShape shape =
          Shapes.seconds("bench.year", Math.max(REGIONS, trial.scaled(YEAR_DAYS, 1)));
      long days = shape.span().toDays();
      report.table(
          ("128 sensors, 1 Hz, %s days | M points | Seconds | M points per second | CPU s:"
                  + " loader | HBase | MB | MB per second")
              .formatted(days));
      List<byte[]> splits = Keys.splits(Shapes.START.getEpochSecond(), days * 24, REGIONS);
      try (Installation to = new Installation(stack, "year", splits)) {
        List<String> options = Shapes.options(shape);
        options.addAll(List.of("--mode=hfile", "--hfile-dir=" + to.hfileDir()));
        LoaderRun run = loader.run(to, shape.points(), "generate", options);
        double bytes = run.count("bytesWritten");
        String cpu =
            Report.tenths(run.process().cpuSeconds())
                + " | "
                + Report.tenths(run.hbaseCpuSeconds());
        speed(
            "generate --mode hfile, JVM start to end", shape, run.process().seconds(), cpu, bytes);
        speed("of which making and writing HFiles", shape, run.phase("write"), " | ", bytes);
        speed("of which HBase's bulk load", shape, run.phase("bulkLoad"), " | ", bytes);
        report.atLeast(
            "a year of 128 sensors by HFiles", " M points/s", 110, run.perSecond() / 1e6);
        long compared = Answers.check(to.tsd(), shape);
        System.out.println("TSD queries over it: " + compared + " numbers equal");
        speed("as many bytes to a file", shape, secondsToWrite((long) bytes), "- | -", bytes);
      }
    }

    private void speed(
        String what, SyntheticShape shape, double seconds, String cpu, double bytes) {
      report.row(
          "%s | %.1f | %.1f | %.1f | %s | %,.0f | %,.0f",
          what,
          shape.points() / 1e6,
          seconds,
          shape.points() / seconds / 1e6,
          cpu,
          bytes / 1e6,
          bytes / seconds / 1e6);
    }

    /** Writes so many bytes in chunks, as dd does, without fsync. */
    private double secondsToWrite(long bytes) throws IOException {
      byte[] chunk = new byte[CHUNK];
      new Random(1).nextBytes(chunk);
      Path file = dir.resolve("raw");
      long begin = System.nanoTime();
      try (OutputStream out = Files.newOutputStream(file)) {
        for (long left = bytes; left > 0; left -= CHUNK) {
          out.write(chunk, 0, (int) Math.min(CHUNK, left));
        }
      } finally {
        Files.deleteIfExists(file);
      }
      return (System.nanoTime() - begin) / 1e9;
    }

    /** Puts of synthetic rows into new tables, including the comparison with stored cells. */
    void puts() throws IOException, InterruptedException {
      SyntheticShape dense = Shapes.seconds("bench.put", trial.scaled(DENSE_DAYS, 1));
      SyntheticShape sparse = Shapes.minutes("bench.put", trial.scaled(SPARSE_HOURS, 1));
      // Warms HBase up.
      put(Shapes.minutes("bench.put", Math.max(1, sparse.span().toHours() / 4)), "async");
      List<Way<LoaderRun>> ways = new ArrayList<>();
      for (String wal : List.of("async", "sync")) {
        ways.add(new Way<>("3600 points a row, --wal " + wal, () -> put(dense, wal)));
        ways.add(new Way<>("60 points a row, --wal " + wal, () -> put(sparse, wal)));
      }
      report.table(
          "generate --mode put | M points | M points per second, JVM start to end"
              + " | Slowest..fastest round | In the write phase | Rows per second in it"
              + " | CPU s per 100 M points: loader | HBase");
      List<Samples<LoaderRun>> all = Samples.of(0, PUT_ROUNDS, ways);
      for (Samples<LoaderRun> one : all) {
        LoaderRun first = one.all().get(0);
        double write = one.median(run -> run.phase("write"));
        double hundreds = first.points() / 1e8;
        report.row(
            "%s | %.1f | %.1f | %.1f..%.1f | %.1f | %,.0f | %.1f | %.1f",
            one.name(),
            first.points() / 1e6,
            one.median(LoaderRun::perSecond) / 1e6,
            one.all().stream().mapToDouble(LoaderRun::perSecond).min().orElseThrow() / 1e6,
            one.all().stream().mapToDouble(LoaderRun::perSecond).max().orElseThrow() / 1e6,
            first.points() / write / 1e6,
            first.count("rowsWritten") / write,
            one.median(run -> run.process().cpuSeconds()) / hundreds,
            one.median(LoaderRun::hbaseCpuSeconds) / hundreds);
      }
      aim(all.get(0), 10);
      aim(all.get(1), 3);
    }

    private void aim(Samples<LoaderRun> one, double limit) {
      report.atLeast(
          "puts, " + one.name(), " M points/s", limit, one.median(LoaderRun::perSecond) / 1e6);
    }

    private LoaderRun put(SyntheticShape shape, String wal)
        throws IOException, InterruptedException {
      List<String> options = Shapes.options(shape);
      options.addAll(List.of("--mode=put", "--wal=" + wal));
      return load("put", shape, "generate", options);
    }

    /** Loads into new tables, and compares what a TSD answers. */
    private LoaderRun load(String name, SyntheticShape shape, String command, List<String> options)
        throws IOException, InterruptedException {
      try (Installation to = new Installation(stack, name, List.of())) {
        LoaderRun run = loader.run(to, shape.points(), command, options);
        Answers.check(to.tsd(), shape);
        return run;
      }
    }

    private List<Path> lines(SyntheticShape shape, LineOrder order, int files) {
      return TextInput.files(dir.resolve("text"), shape, LineFormat.OPENTSDB, order, files, false);
    }

    private SyntheticShape lines(String metric, long full) {
      return Shapes.text(metric, trial.scaled(full, Shapes.TEXT_SERIES));
    }

    /** Loads of text into HBase by bulk-loader and by OpenTSDB's {@code tsdb import}. */
    void text() throws IOException, InterruptedException {
      report.table(
          "Text into HBase | Lines | Lines per second | Times faster"
              + " | CPU s per million lines: loader | HBase | Seconds: read | sort | write");
      text(SORTED, LineOrder.SERIES);
      text(IN_TURN, LineOrder.TIME);
    }

    private void text(String what, LineOrder order) throws IOException, InterruptedException {
      SyntheticShape some = lines("bench.text", IMPORT_LINES);
      double imported = imported(some, order);
      report.row(
          "tsdb import, %s | %,d | %,.0f | 1.0x | - | - | - | - | -",
          what, some.points(), imported);
      SyntheticShape shape = lines("bench.text", LINES);
      LoaderRun run =
          load(
              "load-" + order.key(),
              shape,
              "load",
              List.of(
                  "--mode=put",
                  "--format=opentsdb",
                  "--input",
                  lines(shape, order, 1).get(0).toString()));
      double faster = run.perSecond() / imported;
      report.row(
          "bulk-loader, %s | %,d | %,.0f | %.1fx | %.2f | %.2f | %.1f | %.1f | %.1f",
          what,
          run.points(),
          run.perSecond(),
          faster,
          run.process().cpuSeconds() / run.points() * 1e6,
          run.hbaseCpuSeconds() / run.points() * 1e6,
          run.phase("read"),
          run.phase("sort"),
          run.phase("write"));
      report.atLeast("against tsdb import, " + what, "x", 30, faster);
    }

    /**
     * Lines per second of {@code tsdb import}, by its own clock, which excludes the start of its
     * JVM.
     */
    private double imported(SyntheticShape shape, LineOrder order) throws IOException {
      Path file = lines(shape, order, 1).get(0);
      try (Installation to = new Installation(stack, "import-" + order.key(), List.of())) {
        // The import assigns UIDs sequentially; the measured time must not include this.
        to.assign(shape);
        ToolRun tool = to.tsd().tool("TextImporter", file.toString());
        Matcher said = IMPORTED.matcher(tool.output());
        if (!said.find() || Long.parseLong(said.group(1)) != shape.points()) {
          throw new IllegalStateException(
              "tsdb import must import " + shape.points() + " points, found:\n" + tool.output());
        }
        Answers.check(to.tsd(), shape);
        return Double.parseDouble(said.group(2));
      }
    }

    /** A load of one file of objects of JSON, one in each line. */
    void json() throws IOException, InterruptedException {
      SyntheticShape shape = lines("bench.json", JSON_LINES);
      Path file = file(shape, LineFormat.JSON, false);
      LoaderRun run =
          load("json", shape, "load", List.of("--mode=put", "--format=json", "--input=" + file));
      double megabytes = Files.size(file) / 1e6;
      double rate = megabytes / run.process().seconds();
      report.table(
          "JSON into HBase | Lines | MB | MB per second | CPU s per million lines: loader | HBase"
              + " | Seconds: read | sort | write");
      report.row(
          "objects in lines, 1000 series in turn | %,d | %,.0f | %,.0f | %.2f | %.2f | %.1f | %.1f"
              + " | %.1f",
          run.points(),
          megabytes,
          rate,
          run.process().cpuSeconds() / run.points() * 1e6,
          run.hbaseCpuSeconds() / run.points() * 1e6,
          run.phase("read"),
          run.phase("sort"),
          run.phase("write"));
      report.atLeast("JSON into HBase", " MB/s", 400, rate);
      Files.delete(file);
    }

    /** The reading of one file that cannot be read from any place on. */
    void shared() throws IOException, InterruptedException {
      report.table(
          "One file into runs | Lines | MB as stored | Seconds: one thread | two threads"
              + " | Times faster");
      SyntheticShape shape = lines("bench.text", SHARED_LINES);
      double faster = shared("import lines, gzip", shape, file(shape, LineFormat.OPENTSDB, true));
      shared("objects of JSON in lines, gzip", shape, file(shape, LineFormat.JSON, true));
      shared("an array of JSON", shape, TextInput.array(file(shape, LineFormat.JSON, false)));
      report.atLeast("one gzip file of import lines by two threads", "x", 2, faster);
    }

    private Path file(SyntheticShape shape, LineFormat format, boolean gzip) {
      return TextInput.files(dir.resolve("text"), shape, format, LineOrder.TIME, 1, gzip).get(0);
    }

    private double shared(String what, SyntheticShape shape, Path file)
        throws IOException, InterruptedException {
      Path runs = Files.createDirectories(dir.resolve("runs"));
      KernelRun run =
          loader.kernel(file.toString(), Long.toString(shape.points()), runs.toString());
      double faster = run.get("wall1") / run.get("wall2");
      report.row(
          "%s | %,d | %,d | %.2f | %.2f | %.2fx",
          what, shape.points(), Files.size(file) >> 20, run.get("wall1"), run.get("wall2"), faster);
      return faster;
    }

    /** Shuffled lines with little memory. */
    void memory() throws IOException, InterruptedException {
      SyntheticShape shape = lines("bench.shuffled", LINES);
      List<Path> files = lines(shape, LineOrder.SHUFFLED, 2);
      List<String> options =
          new ArrayList<>(
              List.of(
                  "--mode=put", "--format=opentsdb", "--memory=" + MEMORY_MIB + "m", "--input"));
      files.forEach(file -> options.add(file.toString()));
      LoaderRun run = load("shuffled", shape, "load", options);
      double peak = run.process().peakBytes() / (double) (1 << 20);
      report.table(
          "load --memory "
              + MEMORY_MIB
              + "m | Lines | Lines per second | Seconds: read | sort | write | CPU s of the loader"
              + " | Peak memory, MiB");
      report.row(
          "all lines shuffled | %,d | %,.0f | %.1f | %.1f | %.1f | %.1f | %,.0f",
          run.points(),
          run.perSecond(),
          run.phase("read"),
          run.phase("sort"),
          run.phase("write"),
          run.process().cpuSeconds(),
          peak);
      report.atMost(
          String.format(Locale.ROOT, "peak memory, %,d shuffled lines", run.points()),
          " MiB",
          MEMORY_MIB,
          peak);
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }
}
