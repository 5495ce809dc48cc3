package io.tsdbsuite.bench.meta;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link IncrementBenchmark}, each case in a separate JVM with the heap size of a TSD. */
final class CpuRuns {
  /** JVM flags that affect the figures. */
  static final String FLAGS = "-Xms4g -Xmx4g -XX:+UseG1GC -XX:+AlwaysPreTouch";

  private final int warmUps;
  private final int measurements;
  private final TimeValue round;

  /**
   * Sets the number and the length of rounds.
   *
   * @param roundMillis length of a round, ms
   */
  CpuRuns(int warmUps, int measurements, int roundMillis) {
    this.warmUps = warmUps;
    this.measurements = measurements;
    this.round = TimeValue.milliseconds(roundMillis);
  }

  /** Description of the rounds for the document. */
  String rounds() {
    return String.format(
        Locale.ROOT,
        "%d rounds to warm up and %d measured, %d ms a round",
        warmUps,
        measurements,
        round.convertTo(TimeUnit.MILLISECONDS));
  }

  /** Medians of the measured rounds. */
  CpuCost cost(WayKind way, CpuCase load) throws RunnerException {
    RunResult run =
        new Runner(
                new OptionsBuilder()
                    .include("^" + IncrementBenchmark.class.getName().replace(".", "\\.") + "\\.")
                    .param("way", way.name())
                    .param("series", Integer.toString(load.series()))
                    .param("access", load.access().name())
                    .threads(load.threads())
                    .mode(Mode.AverageTime)
                    .timeUnit(TimeUnit.NANOSECONDS)
                    .forks(1)
                    .jvmArgs((FLAGS + " -XX:-UsePerfData -Djava.io.tmpdir=target").split(" ", -1))
                    .warmupIterations(warmUps)
                    .warmupTime(round)
                    .measurementIterations(measurements)
                    .measurementTime(round)
                    .addProfiler(CpuProfiler.class)
                    .verbosity(VerboseMode.SILENT)
                    .shouldFailOnError(true)
                    .build())
            .runSingle();
    CpuCost cost =
        new CpuCost(
            median(run, CpuProfiler.CALLERS),
            median(run, CpuProfiler.PROCESS),
            median(run, CpuProfiler.ALLOCATED));
    System.out.printf(
        Locale.ROOT,
        "%-9s %,9d series, %-7s, %d threads: %6.0f ns, process %6.0f ns, %4.0f bytes%n",
        way,
        load.series(),
        load.access(),
        load.threads(),
        cost.callers(),
        cost.process(),
        cost.allocated());
    return cost;
  }

  private static double median(RunResult run, String label) {
    List<Double> sorted =
        run.getBenchmarkResults().stream()
            .map(BenchmarkResult::getIterationResults)
            .flatMap(rounds -> rounds.stream())
            .map(round -> Objects.requireNonNull(round.getSecondaryResults().get(label)).getScore())
            .sorted()
            .toList();
    return sorted.get(sorted.size() / 2);
  }
}
