package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.coverage.CoverageCleaner.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Removes windows. Masks stay: nobody knows which windows will be written later. */
public final class CoverageRemove {
  private CoverageRemove() {}

  /**
   * Removes the times within bounds of the windows.
   *
   * @param dry whether to say only what would be removed
   * @return the removed parts for people, one line each
   * @throws IOException when HBase fails; then some windows may be gone
   */
  public static List<String> run(CoverageCleaner table, CoverageBounds bounds, boolean dry)
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
      removed = table.remove(found -> bounds.times(found.row()));
    }
    return removed.stream().map(CoverageText::of).toList();
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
