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

/** Holds a run against the one that it is to go on with. Whatever differs is a problem. */
public final class ResumeCheck {
  private ResumeCheck() {}

  /** What differs in version and options, one line each; empty when nothing does. */
  public static List<String> options(EarlierRun earlier, RunIdentity now) {
    List<String> problems = new ArrayList<>();
    RunIdentity before = earlier.identity();
    differ(problems, earlier, "the job's version", before.version(), now.version());
    Set<String> names = new TreeSet<>(before.options().keySet());
    names.addAll(now.options().keySet());
    for (String name : names) {
      differ(problems, earlier, name, before.options().get(name), now.options().get(name));
    }
    return problems;
  }

  /**
   * What differs in the snapshots, one line each: the name alone does not tell, for it may have
   * been given to another one since.
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
   * What differs in the place that is written to, one line each: a topic may have been made anew
   * under its name, and then lacks what the earlier run has sent.
   *
   * @param now what is known of it, by names for messages
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
      List<String> problems, EarlierRun earlier, String name, String before, String now) {
    if (!String.valueOf(before).equals(String.valueOf(now))) {
      problems.add(
          "--resume "
              + earlier.report()
              + ": "
              + name
              + " was "
              + shown(before)
              + ", is "
              + shown(now)
              + " now");
    }
  }

  private static String shown(String value) {
    return value == null ? "not given" : "'" + value + "'";
  }

  /**
   * What differs in the plan, one line each. The same options over the same snapshots give the same
   * plan, so that a difference means a changed backup or a damaged report.
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
            "--resume "
                + earlier.report()
                + ": partition "
                + index
                + " is not in the plan as it was; files or regions of the snapshot have changed, or"
                + " the report is damaged");
        return problems;
      }
    }
    return problems;
  }
}
