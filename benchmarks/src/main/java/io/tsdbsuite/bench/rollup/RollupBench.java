package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.testkit.WorkDirs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures all parts of {@code make bench-rollup} or {@code make bench-plan}, prints the tables and
 * writes them into a document and a JSON file.
 */
public final class RollupBench {
  private static final int USAGE = 2;
  private static final String COMMAND = "make bench-";
  private static final String WORK = "bench-rollup";
  private static final List<String> BENCHMARKS = List.of("rollup", "plan");

  /** Arguments before those of a trial: benchmark, document, JSON file. */
  private static final int FIXED = 3;

  private static final long LEAST_BYTES = 4_000_000_000L;

  /** All parts by name, in the order of execution. A new part needs an entry here. */
  private static Map<String, BenchPart> parts(String benchmark) {
    Map<String, BenchPart> parts = new LinkedHashMap<>();
    if (benchmark.equals("plan")) {
      parts.put("files", new SmallFilesPart());
      parts.put("table", new SmallTablePart());
      parts.put("plan", new PlanPart());
      return parts;
    }
    parts.put("read", new ReadPart());
    parts.put("window", new WindowPart());
    parts.put("sink", new SinkPart());
    parts.put("job", new JobPart());
    parts.put("uids", new UidsPart());
    parts.put("scaling", new ScalingPart());
    return parts;
  }

  private RollupBench() {}

  /**
   * Arguments: the benchmark, {@code rollup} or {@code plan}, the document and the JSON file. More
   * arguments make a trial, which writes neither: the share of the full sizes and the parts, each
   * optionally with a text that selects figures by name ({@code read:S3}).
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    String name = args.length == 0 ? "" : args[0];
    Map<String, BenchPart> parts = parts(name);
    List<String> wanted = List.of(args).subList(Math.min(FIXED + 1, args.length), args.length);
    boolean known = wanted.stream().allMatch(want -> parts.containsKey(partOf(want)));
    if (args.length < FIXED || !BENCHMARKS.contains(name) || !known) {
      System.err.println(
          "bench-"
              + name
              + ": arguments are BENCHMARK DOCUMENT JSON [SCALE [PART[:FIGURE]...]], benchmarks "
              + String.join(", ", BENCHMARKS)
              + ", parts of "
              + String.join(", ", parts.keySet())
              + ", found "
              + String.join(" ", args));
      System.exit(USAGE);
    }
    boolean trial = args.length > FIXED;
    MarkedSection section = new MarkedSection(Path.of(args[1]), COMMAND + name);
    double scale = trial ? Double.parseDouble(args[FIXED]) : 1;
    Report report = new Report(COMMAND + name);
    measure(parts, report, scale, wanted);
    String markdown =
        report.head() + ": the benchmark itself makes about 1.\n\n" + report.markdown();
    System.out.println("\n" + markdown);
    if (!trial) {
      section.write(markdown);
      report.writeJson(Path.of(args[2]));
    }
    System.exit(0);
  }

  private static String partOf(String wanted) {
    int colon = wanted.indexOf(':');
    return colon < 0 ? wanted : wanted.substring(0, colon);
  }

  private static void measure(
      Map<String, BenchPart> parts, Report report, double scale, List<String> wanted)
      throws IOException, InterruptedException {
    Path dir = WorkDirs.fresh(WORK);
    long free = Files.getFileStore(dir).getUsableSpace();
    if (free < LEAST_BYTES) {
      throw new IllegalStateException(
          dir + " must have " + LEAST_BYTES + " bytes free, found " + free);
    }
    try {
      for (Map.Entry<String, BenchPart> part : parts.entrySet()) {
        String name = part.getKey();
        for (String want : wanted.isEmpty() ? List.of(name) : wanted) {
          if (partOf(want).equals(name)) {
            System.out.println("part " + want);
            String only = want.substring(Math.min(want.length(), name.length() + 1));
            part.getValue().run(new Bench(dir, report, scale, only));
          }
        }
      }
    } finally {
      WorkDirs.fresh(WORK);
    }
  }
}
