package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.coverage.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.job.cli.IntervalsReader;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.rollup.input.AsOf;
import io.tsdbsuite.rollup.input.ChangedSince;
import io.tsdbsuite.rollup.input.RollupOptions;
import io.tsdbsuite.rollup.input.Tolerance;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks the {@link CommonOptions} and the files that they name. */
final class InputReader {
  private static final long MEBIBYTE = 1L << 20;

  private final CommonOptions options;

  private final Problems problems;
  private final TsdFiles files;
  private final @Nullable RollupIntervals intervals;
  private final WindowReader.@Nullable Window window;
  private final @Nullable HoldBack holdBack;

  /**
   * @param changedRows whether the command also rolls up changed rows, which need no {@code --from}
   * @param invocation receives the problems found
   */
  InputReader(CommonOptions options, boolean changedRows, Invocation invocation) {
    this(options, changedRows, null, invocation);
  }

  /**
   * @param changedRows whether the command also rolls up changed rows, which need no {@code --from}
   * @param fallback the rollup configuration if none is named; null if one is required
   * @param invocation receives the problems found
   */
  InputReader(
      CommonOptions options,
      boolean changedRows,
      @Nullable RollupConfig fallback,
      Invocation invocation) {
    this.options = options;
    this.problems = invocation.problems();
    InputOptions input = options.input();
    problems.require("--snapshot-root", input.snapshotRoot);
    problems.require("--data-snapshot", input.dataSnapshot);
    numbers(options.tasks());
    for (String metric : options.choice().metrics) {
      if (metric.isEmpty() || metric.equals("!")) {
        problems.add("--metrics must have no empty pattern, found: " + options.choice().metrics);
      }
    }
    WindowReader hours = new WindowReader(input, changedRows, problems);
    window = hours.window();
    files = TsdFiles.read(input.tsd, invocation.tsdKeys(), fallback, problems);
    RollupConfig rollups = files.rollups();
    intervals = rollups == null ? null : intervals(rollups);
    hours.wholeDays(intervals, window);
    holdBack = hours.holdBack(options.choice(), intervals, window, invocation.clock());
  }

  private void numbers(TaskOptions tasks) {
    problems.atLeast("--max-failed-rows", tasks.maxFailedRows, 0);
    problems.atLeast("--max-failed-blocks", tasks.maxFailedBlocks, 0);
    if (!(tasks.partitionMebibytes > 0)) {
      problems.add("--partition-size must be more than 0, found: " + tasks.partitionMebibytes);
    }
  }

  private @Nullable RollupIntervals intervals(RollupConfig config) {
    IntervalsReader reader = new IntervalsReader(config, problems);
    reader.requireAggregators();
    List<RollupInterval> found = reader.read(options.input().intervals);
    return found.isEmpty() ? null : new RollupIntervals(found);
  }

  /** The configuration files of the TSD; their parts are null if they could not be read. */
  TsdFiles files() {
    return files;
  }

  /** The intervals; null if they have problems. */
  @Nullable RollupIntervals intervals() {
    return intervals;
  }

  /** The window; null if it has problems. */
  WindowReader.@Nullable Window window() {
    return window;
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
    return builder(uids).changedSince(changed).asOf(asOf).build();
  }

  /**
   * The options for a part of the window; only if there are no problems.
   *
   * @param from seconds since the epoch, inclusive, as {@link RollupOptions#from}
   * @param to seconds since the epoch, exclusive
   * @param metrics patterns; none for all
   */
  RollupOptions part(UidSettings uids, long from, long to, List<String> metrics) {
    return builder(uids).from(from).to(to).metrics(MetricPatterns.of(metrics)).build();
  }

  private RollupOptions.Builder builder(UidSettings uids) {
    ChoiceOptions choice = options.choice();
    WindowReader.Window hours = Objects.requireNonNull(window);
    TaskOptions tasks = options.tasks();
    return RollupOptions.builder()
        .snapshotRoot(Objects.requireNonNull(options.input().snapshotRoot))
        .dataSnapshot(Objects.requireNonNull(options.input().dataSnapshot))
        .uids(uids)
        .schema(Objects.requireNonNull(files.schema()))
        .intervals(Objects.requireNonNull(intervals))
        .from(hours.from())
        .to(hours.to())
        .holdBack(Objects.requireNonNull(holdBack))
        .metrics(MetricPatterns.of(choice.metrics))
        .maxFailedRows(tasks.maxFailedRows)
        .partitionBytes(Math.max(1, Math.round(tasks.partitionMebibytes * MEBIBYTE)))
        .tolerance(
            new Tolerance(
                tasks.maxFailedBlocks,
                choice.allowExpired,
                choice.allowSkipFlush,
                choice.allowEmpty))
        .anyBucket(choice.anyBucket);
  }
}
