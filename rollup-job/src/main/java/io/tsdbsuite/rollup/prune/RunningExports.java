package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells snapshots whose export may still copy HFiles from those that are broken. What it knows is
 * older than the listing of the HFiles: an export that had ended before has all of them there.
 */
final class RunningExports {
  private final Markers markers;
  private final PruneTimes times;
  private final Set<String> exporting = new HashSet<>();

  private RunningExports(Markers markers, PruneTimes times) {
    this.markers = markers;
    this.times = times;
  }

  /** Lists markers and exports; the HFiles must be listed afterwards. */
  static RunningExports list(Markers markers, Snapshots snapshots, PruneTimes times)
      throws IOException {
    markers.list();
    RunningExports exports = new RunningExports(markers, times);
    exports.add(snapshots.exporting());
    return exports;
  }

  /** Adds exports of a later listing. */
  void add(List<SnapshotDir> dirs) {
    for (SnapshotDir dir : dirs) {
      // No export takes longer than the grace time: others were broken off.
      if (dir.exporting() && dir.changedAfter(times.limit())) {
        exporting.add(dir.name());
      }
    }
  }

  /**
   * Whether a snapshot that is not whole may become whole by itself: its export is in {@code .tmp},
   * or it began recently and no marker says that it has ended.
   */
  boolean mayRun(LocalDate night, SnapshotDir dir) throws IOException {
    return exporting.contains(dir.name())
        || (dir.changedAfter(times.recent()) && !markers.hasNamed(night, dir.name()));
  }
}
