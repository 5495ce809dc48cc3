package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The input of rollup-job and verify, as their common options choose it. These are three mixins,
 * because {@code --help} lists options of the command itself between them.
 *
 * @param files configuration files of the TSD; their parts are null if they could not be read
 * @param intervals null if they have problems
 * @param window null if it has problems
 * @param holdBack null if it has problems
 */
record CommonInput(
    InputOptions input,
    ChoiceOptions choice,
    long partitionBytes,
    FailureLimits limits,
    TsdFiles files,
    @Nullable RollupIntervals intervals,
    @Nullable Window window,
    @Nullable HoldBack holdBack) {

  /**
   * Reads the options and the files that they name.
   *
   * @param changedRows whether the command also rolls up changed rows, which need no {@code --from}
   * @param fallback the rollup configuration if none is named; null if one is required
   * @param invocation receives the problems found
   */
  static CommonInput read(
      InputOptions input,
      ChoiceOptions choice,
      TaskOptions tasks,
      boolean changedRows,
      @Nullable RollupConfig fallback,
      Invocation invocation) {
    Problems problems = invocation.problems();
    input.snapshots.require(problems);
    FailureLimits limits = tasks.read(problems);
    choice.checkMetrics(problems);
    Window window = input.window(changedRows, problems);
    TsdFiles files = input.tsd.read(invocation.tsdKeys(), fallback, problems);
    RollupIntervals intervals = input.intervals(files, window, problems);
    HoldBack holdBack = choice.holdBack(intervals, window, invocation.clock(), problems);
    return new CommonInput(
        input, choice, tasks.partitionBytes(), limits, files, intervals, window, holdBack);
  }

  /** Warnings about allowed but dangerous options. */
  List<String> warnings() {
    RollupConfig rollups = files.rollups();
    if (rollups == DefaultRollups.CONFIG) {
      return List.of(DefaultRollups.WARNING);
    }
    return rollups == null
        ? List.of()
        : rollups.warnings().stream().map(warning -> "rollup configuration: " + warning).toList();
  }

  /**
   * Returns the job's options; only if there are no problems.
   *
   * @param changed null if changed rows are not requested
   */
  RollupOptions options(UidSettings uids, @Nullable ChangedSince changed, AsOf asOf) {
    return options(uids, Objects.requireNonNull(window), choice.metrics, changed, asOf);
  }

  /**
   * The options for a part of the window; only if there are no problems.
   *
   * @param metrics patterns; none for all
   */
  RollupOptions part(UidSettings uids, Window part, List<String> metrics) {
    return options(uids, part, metrics, null, AsOf.SNAPSHOT);
  }

  private RollupOptions options(
      UidSettings uids,
      Window hours,
      List<String> metrics,
      @Nullable ChangedSince changed,
      AsOf asOf) {
    return new RollupOptions(
        Objects.requireNonNull(input.snapshots.root),
        Objects.requireNonNull(input.snapshots.data),
        uids,
        Objects.requireNonNull(files.schema()),
        Objects.requireNonNull(intervals),
        hours,
        Objects.requireNonNull(holdBack),
        MetricPatterns.of(metrics),
        partitionBytes,
        new Tolerance(limits, choice.allowExpired, choice.allowSkipFlush, choice.allowEmpty),
        changed,
        asOf,
        choice.anyBucket);
  }
}
