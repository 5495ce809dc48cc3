package io.tsdbsuite.bench.quick;

import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.Machine;
import io.tsdbsuite.bench.measure.Median;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures ratios, each as the median of three JVMs, and prints those that moved by more than a
 * fifth since the run whose values a file of the processor keeps. A ratio hardly depends on the
 * machine and its load, but on what a JVM's compiler chose. A check measures those to a bare loop,
 * and fails if the suite is a third slower in two measurements.
 */
public final class QuickBench implements Suite {
  private static final int JVMS = 3;
  private static final String KEEP = "--keep";
  private static final String CHECK = "--check";
  private static final Path KEPT = Path.of("..", "docs", "benchmarks");
  private static final Path LOG = Path.of("target", "bench-quick.log");
  private static final Path JOB = Path.of("..", "rollup-job", "target");

  @Override
  public String question() {
    return "Which ratios moved by more than a fifth since those in docs/benchmarks?";
  }

  @Override
  public String peer() {
    return "the first way to do the same work, in the same JVM; "
        + KEEP
        + " writes the ratios, "
        + CHECK
        + " measures those to a bare loop and fails if one is a third slower";
  }

  @Override
  public String command(String name) {
    return "";
  }

  @Override
  public List<String> numbers() {
    return List.of();
  }

  /** The ratios, and the options. */
  @Override
  public List<String> parts() {
    return Stream.concat(Arrays.stream(QuickRatio.values()).map(Enum::name), Stream.of(KEEP, CHECK))
        .toList();
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    boolean keep = !trial.whole() && trial.parts().contains(KEEP);
    boolean check = !trial.whole() && trial.parts().contains(CHECK);
    List<String> wanted = trial.parts().stream().filter(part -> !part.startsWith("--")).toList();
    String processor = Machine.processor();
    KeptRatios kept = KeptRatios.read(KEPT, processor);
    double load = Machine.load();
    long begin = System.nanoTime();
    Map<String, Double> found = new LinkedHashMap<>();
    List<String> slower = new ArrayList<>();
    boolean sameProcessor = kept.isOf(processor);
    QuickTable table = new QuickTable();
    System.out.print(QuickTable.HEAD);
    for (QuickRatio ratio : QuickRatio.values()) {
      if (wanted.isEmpty() ? !check || ratio.isGuarded() : wanted.contains(ratio.name())) {
        double now = measure(ratio);
        if (check && QuickTable.isSlower(now, kept.of(ratio), sameProcessor)) {
          // Something may have disturbed it.
          now = Math.max(now, measure(ratio));
        }
        if (check && QuickTable.isSlower(now, kept.of(ratio), sameProcessor)) {
          slower.add(ratio.name());
        }
        found.put(ratio.name(), now);
        System.out.print(table.row(ratio.text(), now, kept.of(ratio)));
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d of %d moved by more than %.0f %%; %.0f s, load %.1f before and %.1f after, kept: %s%n",
        table.moved(),
        found.size(),
        100 * QuickTable.MOVED,
        (System.nanoTime() - begin) / 1e9,
        load,
        Machine.load(),
        kept.facts().getOrDefault("date", "nothing"));
    if (!slower.isEmpty()) {
      throw new IllegalStateException(
          (sameProcessor ? "a third slower than in " : "a third as fast as another processor in ")
              + KEPT
              + ", in two measurements: "
              + String.join(", ", slower));
    }
    if (keep) {
      new KeptRatios(facts(load), found).write(KEPT, processor);
      System.out.println("kept in " + KeptRatios.file(KEPT, processor));
    }
  }

  private static double measure(QuickRatio ratio) throws IOException, InterruptedException {
    String classPath = System.getProperty("java.class.path");
    if (ratio.ofJob()) {
      classPath =
          String.join(
              ":",
              "target/classes",
              JOB.resolve("classes").toString(),
              Files.readString(JOB.resolve("bench-classpath.txt")));
    }
    JvmFork fork = new JvmFork(classPath, LOG);
    List<Double> all = new ArrayList<>();
    for (int jvm = 0; jvm < JVMS; jvm++) {
      all.add(ratio.of(fork.run(List.of(), ratio.kernel(), ratio.arguments())));
    }
    return Median.of(all);
  }

  private static Map<String, String> facts(double load) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "make bench-quick ARGS=" + KEEP);
    facts.put("date", LocalDate.now(Clock.systemUTC()).toString());
    facts.put("commit", Machine.commit());
    facts.put("machine", Machine.cores());
    facts.put("processor", Machine.processor());
    facts.put("jdk", Machine.jdk());
    facts.put("loadBefore", String.format(Locale.ROOT, "%.1f", load));
    return facts;
  }
}
