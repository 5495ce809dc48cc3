package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.IntervalsReader;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdFiles;
import io.tsdbsuite.job.cli.TsdOptions;
import io.tsdbsuite.rollup.input.Window;
import io.tsdbsuite.rollup.plan.HourParser;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.uid.UidSettings;
import io.tsdbsuite.rollup.uid.UidSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the input: snapshots, configuration, intervals, window. */
final class InputOptions {
  private static final long DAY = 86400;

  private static final String SUITE =
      "%s of rollup_config.json selects metrics by their names for %s: ";

  @Mixin SnapshotOptions snapshots = new SnapshotOptions();

  @Option(
      names = "--uid-source",
      paramLabel = "snapshot|hbase",
      defaultValue = "snapshot",
      description =
          "Source of UID names: --uid-snapshot, or the live HBase of --tsd-config"
              + " (tsd.storage.hbase.zk_quorum)."
              + RollupCommand.DEFAULT)
  UidSource uidSource = UidSource.SNAPSHOT;

  @Mixin HBaseOptions hbase = new HBaseOptions();

  @Mixin TsdOptions tsd = new TsdOptions();

  @Option(
      names = "--interval",
      paramLabel = "INTERVAL",
      split = ",",
      defaultValue = "1h",
      description =
          "Rollup intervals in the notation of rollup_config.json, comma-separated, all"
              + " computed in one pass: each divides the hour, or is whole hours that"
              + " divide the day, for example 1m,10m,1h,6h,1d. Can be repeated. Above 1h the"
              + " window must be whole days,"
              + " UTC."
              + RollupCommand.DEFAULT)
  List<String> intervals = new ArrayList<>(List.of("1h"));

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "First hour, inclusive: ISO-8601 (2026-11-19, 2026-11-19T05:00:00Z) or seconds since the"
              + " epoch; UTC, on the hour.")
  @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Last hour, exclusive; written like --from.")
  @Nullable String to;

  @Option(
      names = "--day",
      paramLabel = "DATE",
      description = "Short form of --from and --to for one day, UTC: 2026-11-19.")
  @Nullable String day;

  /**
   * Returns the window; null if unknown.
   *
   * @param changedRows whether changed rows are rolled up too, which need no {@code --from}
   * @param problems receives the problems found
   */
  @Nullable Window window(boolean changedRows, Problems problems) {
    String given = day;
    if (given != null) {
      problems.refuse("--from", from, "does not go with --day");
      problems.refuse("--to", to, "does not go with --day");
      Long begin = problems.tried(() -> HourParser.day("--day", given));
      return begin == null ? null : new Window(begin, begin + DAY);
    }
    String first = from;
    String last = to;
    if (last == null || (first == null && !changedRows)) {
      problems.add("a window is required: --from and --to, or --day");
      return null;
    }
    Long begin = first == null ? null : problems.tried(() -> HourParser.hour("--from", first));
    Long end = problems.tried(() -> HourParser.hour("--to", last));
    if (end == null || (first != null && begin == null)) {
      return null;
    }
    if (begin != null && begin >= end) {
      problems.add("--from must be before --to, found: " + from + " and " + to);
      return null;
    }
    return new Window(begin == null ? end : begin, end);
  }

  /**
   * Returns the intervals; null if they have problems.
   *
   * @param files their rollup configuration is null if it cannot be read, which is reported
   *     separately
   * @param window null if it has problems
   * @param problems receives the problems found
   */
  @Nullable RollupIntervals intervals(TsdFiles files, @Nullable Window window, Problems problems) {
    RollupConfig config = files.rollups();
    if (config == null) {
      return null;
    }
    List<RollupInterval> found = IntervalsReader.read(config, intervals, problems);
    if (found.isEmpty()) {
      return null;
    }
    RollupIntervals read = new RollupIntervals(found, config.suite(), files.codecs());
    if (window != null
        && read.needsDays()
        && (window.from() % DAY != 0 || window.to() % DAY != 0)) {
      problems.add(
          "--interval %s needs whole days: --from and --to must be midnight, UTC, found: %s"
              .formatted(RollupIntervals.text(read.ofDay()), window.text(" and ")));
    }
    return read;
  }

  /**
   * Returns the source of UID names; incomplete if there are problems.
   *
   * @param filter whether metrics are chosen by their names
   * @param intervals whose further aggregators and histograms are of metrics that
   *     rollup_config.json chooses by their names; null if none are needed
   * @param hfiles whether HFiles are written, which contain UIDs: they need names only for the
   *     metric filter and for further aggregators
   * @param live whether the command needs a live HBase whatever the source of names is
   * @param config null if it cannot be read, which is reported separately
   * @param problems receives the problems found
   */
  UidSettings uids(
      boolean filter,
      @Nullable RollupIntervals intervals,
      boolean hfiles,
      boolean live,
      @Nullable TsdConfig config,
      Problems problems) {
    String further = intervals == null ? "" : intervals.furtherText();
    boolean selects = !further.isEmpty();
    boolean histograms = intervals != null && !intervals.withHistograms().isEmpty();
    String suite = SUITE.formatted(histograms ? "suite" : "suite.values", further);
    UidSource source = hfiles && !filter && !selects ? UidSource.NONE : uidSource;
    switch (source) {
      case NONE -> {
        if (!hfiles) {
          problems.add("--uid-source must be snapshot or hbase: --sink hfile alone needs no names");
        } else if (filter) {
          problems.add("--metrics needs names: --uid-source must be snapshot or hbase");
        } else if (selects) {
          problems.add(suite + "--uid-source must be snapshot or hbase");
        }
        problems.refuse(
            "--uid-snapshot", snapshots.uids, "is not read by --sink hfile without --metrics");
      }
      case SNAPSHOT -> {
        if (hfiles && !filter && snapshots.uids == null) {
          problems.add(suite + "--uid-snapshot or --uid-source hbase is required");
        } else {
          problems.require("--uid-snapshot", snapshots.uids);
        }
        if (!hbase.properties.isEmpty() && !live) {
          problems.add(
              "--hbase-property goes with --uid-source hbase, --sink hfile and --coverage-table"
                  + " only");
        }
      }
      case HBASE ->
          problems.refuse("--uid-snapshot", snapshots.uids, "does not go with --uid-source hbase");
    }
    return new UidSettings(
        source,
        source == UidSource.SNAPSHOT ? snapshots.uids : null,
        source == UidSource.HBASE ? hbase.clientProperties(config, problems) : Map.of());
  }
}
