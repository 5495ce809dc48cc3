package io.tsdbsuite.rollup.resume;

import io.tsdbsuite.rollup.plan.RollupPartition;
import io.tsdbsuite.rollup.plan.RollupPlan;
import io.tsdbsuite.rollup.report.PlanFingerprint;
import io.tsdbsuite.rollup.report.RunIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** Compares a run with the run to resume. Every difference is a problem. */
public final class ResumeCheck {
  private ResumeCheck() {}

  /** Returns the differences in version and options, one line each; empty if there are none. */
  public static List<String> options(EarlierRun earlier, RunIdentity now) {
    List<String> problems = new ArrayList<>();
    RunIdentity before = earlier.identity();
    differ(problems, earlier, "the job's version", before.version(), now.version());
    Set<String> names = new TreeSet<>(before.options().keySet());
    names.addAll(now.options().keySet());
    for (String name : names) {
      String then = before.options().get(name);
      String given = now.options().get(name);
      if (!name.equals("--snapshot-root") || !isSamePath(then, given)) {
        differ(problems, earlier, name, then, given);
      }
    }
    return problems;
  }

  /**
   * Whether two paths differ at most in how they are written, such as {@code ./a} and {@code a}.
   */
  private static boolean isSamePath(@Nullable String a, @Nullable String b) {
    try {
      return a != null && b != null && new Path(a).equals(new Path(b));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Returns the differences in the snapshots, one line each. Compares creation times, because a
   * name may have been reused since.
   *
   * @param now the times by the options that name the snapshots
   */
  public static List<String> snapshots(EarlierRun earlier, Map<String, String> now) {
    List<String> problems = new ArrayList<>();
    earlier
        .identity()
        .snapshots()
        .forEach((name, time) -> differ(problems, earlier, name + " taken", time, now.get(name)));
    return problems;
  }

  /**
   * Returns the differences in the destination, one line each. A topic may have been recreated
   * under its name; then it lacks the messages of the earlier run.
   *
   * @param now known properties of the destination, by names for messages
   */
  public static List<String> target(EarlierRun earlier, Map<String, String> now) {
    List<String> problems = new ArrayList<>();
    earlier
        .identity()
        .target()
        .forEach((name, value) -> differ(problems, earlier, name, value, now.get(name)));
    return problems;
  }

  private static void differ(
      List<String> problems,
      EarlierRun earlier,
      String name,
      @Nullable String before,
      @Nullable String now) {
    if (!String.valueOf(before).equals(String.valueOf(now))) {
      problems.add(
          "--resume %s: %s was %s, is %s now"
              .formatted(earlier.report(), name, shown(before), shown(now)));
    }
  }

  private static String shown(@Nullable String value) {
    return value == null ? "not given" : "'" + value + "'";
  }

  /**
   * Returns the differences in the plan, one line each. The same options, snapshots and floors give
   * the same plan, so a difference means a changed backup, other changed rows below a floor, or a
   * damaged report.
   */
  public static List<String> plan(EarlierRun earlier, RollupPlan plan) {
    String before = earlier.identity().plan();
    if (before == null) {
      return earlier.finished().size() == 0
          ? List.of()
          : List.of("--resume " + earlier.report() + " is damaged: it has partitions and no plan");
    }
    List<String> problems = new ArrayList<>();
    differ(problems, earlier, "the plan", before, PlanFingerprint.of(plan));
    List<RollupPartition> partitions = plan.partitions();
    for (int index : earlier.finished().indexes()) {
      if (index >= partitions.size() || !earlier.finished().has(partitions.get(index))) {
        problems.add(
            ("--resume %s: partition %s is not in the plan as it was; files or regions of the"
                 + " snapshot or floors of raw data have changed, another build of the job made the"
                 + " report, or it is damaged")
                .formatted(earlier.report(), index));
        return problems;
      }
    }
    return problems;
  }
}
