package io.tsdbsuite.bench.command;

import io.tsdbsuite.bench.HotPaths;
import io.tsdbsuite.bench.MarkedSection;
import io.tsdbsuite.bench.bulk.BulkBench;
import io.tsdbsuite.bench.ingest.IngestBench;
import io.tsdbsuite.bench.loadtest.LoadTest;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import io.tsdbsuite.bench.meta.MetaBench;
import io.tsdbsuite.bench.query.QuerySuite;
import io.tsdbsuite.bench.quick.QuickBench;
import io.tsdbsuite.bench.rollup.PlanSuite;
import io.tsdbsuite.bench.rollup.RollupSuite;
import io.tsdbsuite.bench.rollup.TiersSuite;
import io.tsdbsuite.bench.stream.StreamSuite;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The command line of all benchmarks: {@code bench SUITE [ARGUMENT...]}. Without arguments it
 * measures all, and writes the figures between the marks of docs/benchmarks.md; with arguments it
 * is a trial that prints them only.
 */
public final class Bench {
  private static final int USAGE = 2;
  private static final Path DOCS = Path.of("..", "docs");

  /** The suites by name. Each is made only when it runs: some need the class path of a job. */
  private static final Map<String, Supplier<Suite>> SUITES = new LinkedHashMap<>();

  static {
    SUITES.put("rollup", RollupSuite::new);
    SUITES.put("plan", PlanSuite::new);
    SUITES.put("tiers", TiersSuite::new);
    SUITES.put("stream", StreamSuite::new);
    SUITES.put("query", QuerySuite::new);
    SUITES.put("kernels", HotPaths::new);
    SUITES.put("quick", QuickBench::new);
    SUITES.put("ingest", IngestBench::new);
    SUITES.put("meta", MetaBench::new);
    SUITES.put("load", BulkBench::new);
    SUITES.put("load-test", LoadTest::new);
  }

  private Bench() {}

  /** Arguments: the suite, and those of {@link Trial#of}. */
  public static void main(String[] args) throws Exception {
    String name = args.length == 0 ? "nothing" : args[0];
    Supplier<Suite> made = SUITES.get(name);
    if (made == null) {
      String usage =
          "arguments are SUITE [ARGUMENT...], suites " + String.join(", ", SUITES.keySet());
      if (name.equals("--help")) {
        System.out.println(usage + "; SUITE --help has its parts");
        return;
      }
      System.err.println("bench: " + usage + ", found " + name);
      System.exit(USAGE);
      return;
    }
    Suite suite = made.get();
    List<String> rest = List.of(args).subList(1, args.length);
    if (rest.contains("--help")) {
      System.out.println(suite.question());
      System.out.println("Peer: " + suite.peer());
      System.out.println("Arguments: " + Trial.usage(suite) + "; with any it writes nothing.");
      System.out.println("Parts: " + String.join(", ", suite.parts()));
      return;
    }
    Trial trial;
    try {
      trial = Trial.of(suite, rest);
    } catch (IllegalArgumentException e) {
      System.err.println("bench " + name + ": " + e.getMessage());
      System.exit(USAGE);
      return;
    }
    run(name, suite, trial);
    // Servers and clients may have left threads.
    System.exit(0);
  }

  private static void run(String name, Suite suite, Trial trial) throws Exception {
    String command = suite.command(name);
    Report report = new Report(command);
    if (command.isEmpty()) {
      suite.run(trial, report);
      return;
    }
    MarkedSection section = new MarkedSection(DOCS.resolve("benchmarks.md"), command);
    suite.run(trial, report);
    System.out.println("\n" + report.section());
    if (trial.whole()) {
      section.write(report.section());
    }
  }
}
