package io.tsdbsuite.bench.meta;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.bench.measure.Aims;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.runner.RunnerException;

/** Measures all implementations, prints the tables and writes them between the document's marks. */
public final class MetaBench {
  private static final int USAGE = 2;
  private static final List<String> PARTS =
      List.of("heap", "cpu", "contention", "point", "misses", "herd");

  private MetaBench() {}

  /**
   * Arguments: the document. More arguments make a trial, which does not write the document: the
   * share of the full sizes and the parts (default: all).
   */
  public static void main(String[] args) throws IOException, InterruptedException, RunnerException {
    if (args.length == 0) {
      usage("found none");
    }
    boolean trial = args.length > 1;
    double scale = trial ? scale(args[1]) : 1;
    List<String> parts = args.length > 2 ? Arrays.asList(args).subList(2, args.length) : PARTS;
    if (!PARTS.containsAll(parts)) {
      usage("parts are " + PARTS + ", found " + parts);
    }
    MarkedSection section = new MarkedSection(Path.of(args[0]), "make bench-meta");
    String text = run(scale, parts);
    System.out.println("\n" + text);
    if (!trial) {
      section.write(text);
    }
  }

  private static double scale(String text) {
    try {
      double scale = Double.parseDouble(text);
      if (scale > 0 && scale <= 1) {
        return scale;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    usage("SCALE must be a number above 0 and at most 1, found " + text);
    return 0;
  }

  private static void usage(String problem) {
    System.err.println("bench-meta: arguments are DOCUMENT [SCALE [PART...]]: " + problem);
    System.exit(USAGE);
  }

  private static String run(double scale, List<String> parts)
      throws IOException, InterruptedException, RunnerException {
    CpuRuns runs = scale < 1 ? new CpuRuns(1, 2, 300) : new CpuRuns(2, 5, 1000);
    Aims aims = new Aims();
    StringBuilder tables = new StringBuilder();
    double loadBefore = load();
    long start = System.nanoTime();
    for (String part : parts) {
      String table =
          switch (part) {
            case "heap" -> HeapTable.run(scale, aims);
            case "cpu" -> CpuTable.run(runs, scale, aims);
            case "contention" -> CpuTable.contention(runs);
            case "point" -> PointTable.run(scale);
            case "misses" -> MissTable.run(scale, aims);
            case "herd" -> HerdTable.run(scale, aims);
            default -> throw new IllegalArgumentException(part);
          };
      tables.append("\n").append(table);
      System.out.printf(
          Locale.ROOT, "%s: %.0f s since the start%n", part, (System.nanoTime() - start) / 1e9);
    }
    return facts(runs, loadBefore, load()) + "\n" + aims.markdown() + tables;
  }

  private static String facts(CpuRuns runs, double loadBefore, double loadAfter) {
    return String.format(
        Locale.ROOT,
        """
Command: `make bench-meta`, %s. Machine: %d cores (%s), JDK %s. Load average %.1f before and %.1f after: the benchmark itself makes 1 to 2, the rest are others on this machine. CPU: JMH, one fork for each figure, %s, medians, `%s`. Heap: `%s`.
""",
        LocalDate.now(ZoneOffset.UTC),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.arch"),
        System.getProperty("java.vm.version"),
        loadBefore,
        loadAfter,
        runs.rounds(),
        CpuRuns.FLAGS,
        HeapRuns.FLAGS);
  }

  /** Load average of the last minute; negative if the system has none. */
  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
