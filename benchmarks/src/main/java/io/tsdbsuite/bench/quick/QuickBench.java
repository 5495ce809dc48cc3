package io.tsdbsuite.bench.quick;

import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.Machine;
import io.tsdbsuite.bench.measure.Median;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures ten ratios, each as the median of three JVMs, and prints those that moved by more than a
 * fifth since the run whose values a file keeps. A ratio hardly depends on the machine and its
 * load, but on what a JVM's compiler chose.
 */
public final class QuickBench {
  private static final int USAGE = 2;

  /** Arguments before those of a user: the file and the class path of rollup-job. */
  private static final int FIXED = 2;

  private static final int JVMS = 3;

  private static final String KEEP = "--keep";

  private final Path file;
  private final JvmFork own;
  private final JvmFork job;
  private final Map<String, Double> found = new LinkedHashMap<>();

  private QuickBench(Path file, String jobClassPath) {
    this.file = file;
    Path log = Path.of("target", "bench-quick.log");
    this.own = JvmFork.likeThis(log);
    this.job = new JvmFork(jobClassPath, log);
  }

  /**
   * Arguments: the file of kept ratios, the class path of rollup-job, then {@code --keep}, which
   * writes the new ratios into the file, and names of ratios, without which all are measured.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> names = Arrays.stream(QuickRatio.values()).map(Enum::name).toList();
    List<String> wanted = Arrays.stream(args).skip(FIXED).filter(arg -> !arg.equals(KEEP)).toList();
    if (args.length < FIXED || !names.containsAll(wanted)) {
      System.err.println(
          "bench-quick: arguments are ["
              + KEEP
              + "] [RATIO...], ratios of "
              + String.join(", ", names)
              + ", found "
              + String.join(" ", wanted));
      System.exit(USAGE);
    }
    boolean keep = List.of(args).contains(KEEP);
    new QuickBench(Path.of(args[0]), args[1])
        .run(
            Arrays.stream(QuickRatio.values())
                .filter(ratio -> wanted.isEmpty() || wanted.contains(ratio.name()))
                .toList(),
            keep);
  }

  private void run(List<QuickRatio> ratios, boolean keep) throws IOException, InterruptedException {
    KeptRatios kept = KeptRatios.read(file);
    double load = Machine.load();
    long begin = System.nanoTime();
    QuickTable table = new QuickTable();
    System.out.print(table.text());
    for (QuickRatio ratio : ratios) {
      double now = measure(ratio);
      found.put(ratio.name(), now);
      System.out.print(table.row(ratio.text(), now, kept.of(ratio)));
    }
    System.out.printf(
        Locale.ROOT,
        "%d of %d moved by more than %.0f %%; %.0f s, load %.1f before and %.1f after, kept: %s%n",
        table.moved(),
        ratios.size(),
        100 * QuickTable.MOVED,
        (System.nanoTime() - begin) / 1e9,
        load,
        Machine.load(),
        kept.facts().getOrDefault("date", "nothing"));
    if (keep) {
      new KeptRatios(facts(load), found).write(file, kept);
      System.out.println("kept in " + file);
    }
  }

  private double measure(QuickRatio ratio) throws IOException, InterruptedException {
    JvmFork fork = ratio.path() == QuickRatio.Path.JOB ? job : own;
    List<Double> all = new ArrayList<>();
    for (int jvm = 0; jvm < JVMS; jvm++) {
      all.add(ratio.of(fork.run(List.of(), ratio.kernel(), ratio.arguments())));
    }
    return Median.of(all);
  }

  private static Map<String, String> facts(double load) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "make bench-quick ARGS=" + KEEP);
    facts.put("date", LocalDate.now(Clock.systemUTC()).toString());
    facts.put("machine", Machine.cores());
    facts.put("jdk", Machine.jdk());
    facts.put("loadBefore", String.format(Locale.ROOT, "%.1f", load));
    return facts;
  }
}
