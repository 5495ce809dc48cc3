package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.coverage.CoverageCleaner.Found;
import io.tsdbsuite.job.coverage.CoverageCleaner.FoundMasks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/** Removes windows, or masks. */
public final class CoverageRemove {
  /** The beginning of the lines of masks that stay. */
  public static final String KEPT = "kept ";

  private static final long DAY = 86_400;

  private CoverageRemove() {}

  /**
   * Removes the times within bounds of the windows.
   *
   * @param rollupTables of the TSDs
   * @param force whether times below a floor go, too: nothing proves rollups there again
   * @param dry whether to say only what would be removed; with times below floors
   * @return the removed parts for people, one line each
   * @throws IOException when HBase fails; then some windows may be gone
   */
  public static List<String> run(
      CoverageCleaner table,
      Collection<String> rollupTables,
      CoverageBounds bounds,
      boolean force,
      boolean dry)
      throws IOException {
    List<CoverageWindow> removed;
    if (dry) {
      removed = new ArrayList<>();
      for (Found found : table.windows()) {
        CoverageWindow window = found.row();
        TimeRanges times = bounds.times(window);
        if (!times.isEmpty()) {
          removed.add(
              window.part(
                  window.writer(), times.from(0) / 1000, times.to(0) / 1000, window.metrics()));
        }
      }
    } else {
      CoverageCleaner.Cuts cuts = found -> bounds.times(found.row());
      removed =
          force ? table.remove(rollupTables, cuts) : table.removeAboveFloors(rollupTables, cuts);
    }
    return removed.stream().map(CoverageText::of).toList();
  }

  /**
   * Removes rows of masks that lie within bounds. Those that lie there in part are kept, and told.
   *
   * @param wholeFrom base time of the first row that the TTL of the data table has left complete,
   *     seconds since the epoch. Masks of days that begin before it go: their raw points may be
   *     gone, so that the rollups are the better answer. Others hide rollups that may lack points
   * @param dry whether to say only what would be removed
   * @return for people, one line for each mask
   * @throws IOException when HBase fails; then some masks may be gone
   */
  public static List<String> masks(
      CoverageCleaner table, CoverageBounds bounds, long wholeFrom, boolean dry)
      throws IOException {
    List<String> lines = new ArrayList<>();
    for (FoundMasks row : table.masks()) {
      if (row.masks().stream().noneMatch(bounds::wants)) {
        continue;
      }
      boolean goes =
          row.masks().stream().allMatch(mask -> bounds.holds(mask) && isPast(mask, wholeFrom));
      if (goes && !dry) {
        table.remove(row);
      }
      String verb = !goes ? KEPT : dry ? "would remove " : "removed ";
      row.masks().forEach(mask -> lines.add(verb + CoverageText.of(mask)));
    }
    return lines;
  }

  static boolean isPast(CoverageMask mask, long wholeFrom) {
    return Math.floorDiv(mask.to() - 1, DAY) * DAY < wholeFrom;
  }

  /**
   * Base time of the first row of raw points that the table's TTL has left complete, with a day for
   * clocks as in a run: seconds since the epoch.
   *
   * @param data family of the raw points
   * @param now milliseconds since the epoch
   */
  public static long wholeFrom(ColumnFamilyDescriptor data, long now) {
    return data.getTimeToLive() == HConstants.FOREVER || data.getMinVersions() > 0
        ? Long.MIN_VALUE
        : now / 1000 - data.getTimeToLive() + DAY;
  }

  /**
   * Fails if there are rows that cannot be read.
   *
   * @throws JobException bad input, naming them
   */
  public static void requireReadable(CoverageCleaner table) {
    if (!table.broken().isEmpty()) {
      throw JobException.badInput(
          "rows of the coverage table cannot be read, so that TSDs read raw data; delete them with"
              + " hbase shell (deleteall): "
              + String.join("; ", table.broken()));
    }
  }
}
