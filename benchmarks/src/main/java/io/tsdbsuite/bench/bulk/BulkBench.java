package io.tsdbsuite.bench.bulk;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.bench.measure.Machine;
import io.tsdbsuite.testkit.Stack;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Measures all parts, prints the tables and writes them between the marks of a document. */
public final class BulkBench {
  private static final int USAGE = 2;
  private static final String WORK = "bench-load";
  private static final List<String> PARTS =
      List.of("hfile", "put", "text", "parse", "shared", "memory");

  /** Required disk space: HFiles, a file of the same size, text, and files HBase still keeps. */
  private static final double BYTES = 40e9;

  private static final long LEAST_BYTES = 2_000_000_000;

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

  private BulkBench() {}

  /**
   * Arguments: the document and the loader's jar. Two more make a trial, which does not write the
   * document: the share of the full sizes and the parts.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length < 2
        || !PARTS.containsAll(List.of(args).subList(Math.min(3, args.length), args.length))) {
      System.err.println(
          "bench-load: arguments are DOCUMENT JAR [SCALE [PART...]], parts of "
              + String.join(", ", PARTS)
              + ", found "
              + String.join(" ", args));
      System.exit(USAGE);
    }
    boolean trial = args.length > 2;
    MarkedSection section = new MarkedSection(Path.of(args[0]), "make bench-load");
    double scale = trial ? Double.parseDouble(args[2]) : 1;
    List<String> parts = args.length > 3 ? List.of(args).subList(3, args.length) : PARTS;
    String markdown = measure(Path.of(args[1]), scale, parts);
    System.out.println("\n" + markdown);
    if (!trial) {
      section.write(markdown);
    }
    System.exit(0);
  }

  private static String measure(Path jar, double scale, List<String> parts)
      throws IOException, InterruptedException {
    Path dir = WorkDirs.fresh(WORK);
    requireRoom(dir, scale);
    Report report = new Report();
    double load = Machine.load();
    try (Stack stack = Stack.in(dir.resolve("servers")).hbase(HBASE).optimized().start()) {
      Bench bench =
          new Bench(
              stack,
              new Loader(jar, dir.resolve("loader")),
              dir,
              new TextInput(dir.resolve("text")),
              report,
              scale);
      for (String part : parts) {
        run(part, bench);
      }
    } finally {
      WorkDirs.fresh(WORK);
    }
    return head(load) + report.markdown();
  }

  private static void requireRoom(Path dir, double scale) throws IOException {
    long needed = (long) Math.max(LEAST_BYTES, BYTES * scale);
    long free = Files.getFileStore(dir).getUsableSpace();
    if (free < needed) {
      throw new IllegalStateException(
          dir + " must have " + needed + " bytes free for this scale, found " + free);
    }
  }

  private static void run(String part, Bench bench) throws IOException, InterruptedException {
    System.out.println("part " + part);
    switch (part) {
      case "hfile" -> new PublishedPart(bench).run();
      case "put" -> new PutPart(bench).run();
      case "text" -> new TextPart(bench).run();
      case "parse" -> new ParsePart(bench).run();
      case "shared" -> new SharedPart(bench).run();
      case "memory" -> new MemoryPart(bench).run();
      default -> throw new IllegalArgumentException(part);
    }
  }

  private static String head(double loadBefore) {
    return String.format(
        Locale.ROOT,
        "Command: `make bench-load`, %s. Machine: %s for HBase 2.6.4, TSD 2.4.1 and the loader"
            + " together, JDK %s. Load average %.1f before and %.1f after.%n%n",
        LocalDate.now(Clock.systemUTC()),
        Machine.cores(),
        Machine.jdk(),
        loadBefore,
        Machine.load());
  }
}
