package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that exclude or refuse a part of the input. */
final class ChoiceOptions {
  @Option(
      names = "--hold-back",
      paramLabel = "DURATION",
      description =
          "Refuse a window that ends less than this before the data snapshot was taken, or before"
              + " now if that is earlier: as late as points may come, 90m, 3h, 2d. 0s: it may end"
              + " with the snapshot. Default: 1h.")
  @Nullable String holdBack;

  @Option(
      names = "--allow-incomplete",
      description =
          "Accept a window that ends later than the hold-back allows, even after the"
              + " data snapshot was taken. Rollups of its last hours may lack points; the"
              + " report warns.")
  boolean allowIncomplete;

  @Option(
      names = "--allow-empty",
      description =
          "Exit with 0 even if nothing was emitted (verify: compared) although the"
              + " table has data. Default: exit code 1, because the window, --metrics or the"
              + " keys of --tsd-config probably do not match the table.")
  boolean allowEmpty;

  @Option(
      names = "--metrics",
      paramLabel = "PATTERN",
      split = ",",
      description =
          "Metrics to roll up: names with * and ?; a leading ! excludes, for example"
              + " 'sys.*,!sys.cpu.idle'. Can be repeated. Default: all.")
  List<String> metrics = new ArrayList<>();

  @Option(
      names = "--allow-expired",
      description =
          "Accept a window that begins before the first complete hour, which is the"
              + " data snapshot's time less the table's TTL, plus one day. Its rollups lack"
              + " the points that the TTL has removed. Default: such a window is refused.")
  boolean allowExpired;

  @Option(
      names = "--any-bucket",
      description =
          "Merge the rows of all salt buckets, as a TSD does: for tables whose"
              + " tsd.storage.salt.buckets was changed, or that OpenTSDB 2.2 imported."
              + " Slower: each task reads from the files of all buckets. Default: a run"
              + " with such rows in the window ends with exit code 1.")
  boolean anyBucket;

  @Option(
      names = "--allow-skip-flush",
      description =
          "Accept a snapshot taken with SKIP_FLUSH, which lacks the memstores of the"
              + " region servers. Default: it is refused.")
  boolean allowSkipFlush;

  /** Checks the patterns. */
  void checkMetrics(Problems problems) {
    for (String metric : metrics) {
      if (metric.isEmpty() || metric.equals("!")) {
        problems.add("--metrics must have no empty pattern, found: " + metrics);
      }
    }
  }

  /**
   * Returns the hold-back from the present and reports a problem if it does not allow the window.
   * The snapshot's time is not known yet.
   *
   * @param intervals null if unknown
   * @param window null if unknown
   * @param clock the present
   * @return null if unknown
   */
  @Nullable HoldBack holdBack(
      @Nullable RollupIntervals intervals,
      @Nullable Window window,
      Clock clock,
      Problems problems) {
    if (allowIncomplete) {
      problems.refuse("--hold-back", holdBack, "does not go with --allow-incomplete");
      return HoldBack.none();
    }
    String late = holdBack;
    Long seconds =
        late == null
            ? (Long) HoldBack.DEFAULT
            : problems.tried(
                () -> HoldBack.parse("--hold-back", "3h, or 0s to hold nothing back", late));
    if (seconds == null) {
      return null;
    }
    HoldBack read = HoldBack.of(seconds, clock);
    if (window != null && !read.allows(window.to())) {
      boolean days = intervals != null && intervals.needsDays();
      problems.add(read.refusal(window.from(), window.to(), days));
    }
    return read;
  }
}
