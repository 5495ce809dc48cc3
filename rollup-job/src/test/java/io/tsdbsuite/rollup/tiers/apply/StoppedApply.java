package io.tsdbsuite.rollup.tiers.apply;

import java.time.Clock;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/** Lets tests of other packages do something before a step, or end an apply or undo there. */
public final class StoppedApply {
  private StoppedApply() {}

  /** Number of the steps of an apply of one day. */
  public static int steps() {
    return TierApply.Step.values().length;
  }

  /**
   * Applies.
   *
   * @param before receives the name of each step that begins; what it throws ends the apply
   */
  public static ApplyReport run(
      Configuration hbase, ApplyOptions options, Clock clock, Consumer<String> before) {
    return new TierApply(hbase, options, clock, step -> before.accept(step.name())).run(false);
  }

  /** Undoes; the parameters are those of {@link #run}. */
  public static UndoReport undo(
      Configuration hbase, UndoOptions options, Clock clock, Consumer<String> before) {
    return new TierUndo(hbase, options, clock, step -> before.accept(step.name())).run(false);
  }
}
