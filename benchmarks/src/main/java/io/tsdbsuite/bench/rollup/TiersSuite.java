package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.KernelRun;
import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Suite;
import io.tsdbsuite.bench.measure.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code make bench-tiers}: what it costs to prove and to delete a day, and what comes back.
 *
 * <p>Question: CPU of {@code tiers plan}, {@code prove} and {@code apply} for a day, and the bytes
 * of the table before, between and after. Peer: the rollup of the same day in the same JVM. Tables:
 * a row for each command, and one for each state of the table; the commands run in one JVM beside
 * one HBase.
 */
public final class TiersSuite implements Suite {
  private static final Path LOG = Path.of("target", "bench-tiers.log");
  private static final Path JOB = Path.of("..", "rollup-job", "target");
  private static final int SERIES = 3_000;

  /** Creates the suite. */
  public TiersSuite() {}

  @Override
  public String question() {
    return "What does it cost to prove and to delete a day of raw data, and what is freed?";
  }

  @Override
  public String peer() {
    return "rollup-job over the same day";
  }

  @Override
  public List<String> parts() {
    return List.of("day");
  }

  @Override
  public List<String> numbers() {
    return List.of("SCALE", "ROUNDS");
  }

  @Override
  public void run(Trial trial, Report report) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(Settings.spark("local[2]"));
    int rounds = (int) trial.second(3);
    arguments.add("series=" + trial.scaled(SERIES, 1));
    arguments.add("rounds=" + rounds);
    // The class path of the job's tests: that of the benchmarks has a TSD's libraries.
    String classPath =
        String.join(
            ":",
            Path.of("target", "classes").toString(),
            JOB.resolve("classes").toString(),
            Files.readString(JOB.resolve("bench-classpath.txt")).strip());
    KernelRun run =
        new JvmFork(classPath, LOG).run(List.of("-Xms2g"), TiersKernel.class.getName(), arguments);
    report.fact(
        "%d days of %,.0f points each, in rows of 60 points, %,.0f bytes a point (SNAPPY,"
            + " FAST_DIFF); rollups of 1h and 1d. Medians of %d rounds of rollup, plan and prove;"
            + " one apply, without its pause",
        TiersKernel.DAYS,
        run.get("points"),
        run.get("before") / run.get("points") / TiersKernel.DAYS,
        rounds);
    report.table(
        "One day | CPU s: job | HBase | Wall s | CPU s a million points | CPU over that of the"
            + " rollup");
    for (String command : TiersKernel.COMMANDS) {
      double cpu = run.get(command + ".cpu");
      report.row(
          "%s | %.1f | %.1f | %.1f | %.2f | %.2f",
          command,
          cpu,
          run.get(command + ".hbase"),
          run.get(command + ".wall"),
          1e6 * cpu / run.get("points"),
          cpu / run.get("rollup.cpu"));
    }
    report.row(
        "%s | - | %.1f | %.1f | - | -",
        TiersKernel.COMPACTION,
        run.get(TiersKernel.COMPACTION + ".hbase"),
        run.get(TiersKernel.COMPACTION + ".wall"));
    report.table("Bytes of HFiles | Data table | Archive | Both, of those before");
    state(report, run, "before", "before apply");
    state(report, run, "applied", "after apply");
    state(report, run, "compacted", "after the major compaction, snapshot kept");
    state(report, run, "freed", "and after the snapshot was deleted");
    report.table("Bytes of the day | Found | A row");
    double rows = run.get("rows");
    double freed = run.get("before") - run.get("freed");
    double markers = run.get("applied") - run.get("before");
    report.row("freed | %,.0f | %.1f", freed, freed / rows);
    report.row("estimate of plan | %,.0f | %.1f", run.get("planned"), run.get("planned") / rows);
    report.row("markers, until the compaction | %,.0f | %.1f", markers, markers / rows);
    report.atMost(
        "difference of plan's estimate to what was freed",
        " %",
        5,
        Math.abs(100 * (run.get("planned") / freed - 1)));
  }

  private static void state(Report report, KernelRun run, String name, String state) {
    double table = run.get(name);
    double archive = run.get(name + ".archive");
    report.row(
        "%s | %,.0f | %,.0f | %.1f %%",
        state, table, archive, 100 * (table + archive) / run.get("before"));
  }
}
