package io.tsdbsuite.bench;

import io.tsdbsuite.bench.measure.Machine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs all JMH benchmarks, prints the tables and writes them between a document's marks. */
public final class BenchMain {
  private static final int USAGE = 2;
  private static final int FORKS = 3;
  private static final int WARM_UPS = 5;
  private static final int MEASUREMENTS = 10;
  private static final TimeValue ROUND = TimeValue.milliseconds(200);

  private BenchMain() {}

  /** Argument: the document. */
  public static void main(String[] args) throws IOException, RunnerException {
    if (args.length != 1) {
      System.err.println("bench: one argument, the document to write into, found " + args.length);
      System.exit(USAGE);
    }
    MarkedSection section = new MarkedSection(Path.of(args[0]), "make bench");
    double loadBefore = Machine.load();
    String tables = new Results(new Runner(options()).run()).markdown();
    String text = facts(loadBefore, Machine.load()) + "\n" + tables;
    System.out.println("\n" + text);
    section.write(text);
  }

  private static Options options() {
    return new OptionsBuilder()
        .include("io\\.tsdbsuite\\.bench\\.[A-Z].*")
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .forks(FORKS)
        .warmupIterations(WARM_UPS)
        .warmupTime(ROUND)
        .measurementIterations(MEASUREMENTS)
        .measurementTime(ROUND)
        .addProfiler(GCProfiler.class)
        .shouldFailOnError(true)
        .build();
  }

  private static String facts(double loadBefore, double loadAfter) {
    return String.format(
        Locale.ROOT,
        """
Command: `make bench`. Machine: %s, JDK %s. Load average %.1f before and %.1f after: the benchmark itself makes about 1, the rest are others on this machine. JMH: %d forks, each %d rounds to warm up and %d measured, %d ms a round, one thread, %s.
""",
        Machine.cores(),
        Machine.jdk(),
        loadBefore,
        loadAfter,
        FORKS,
        WARM_UPS,
        MEASUREMENTS,
        ROUND.getTime(),
        "serial collector");
  }
}
