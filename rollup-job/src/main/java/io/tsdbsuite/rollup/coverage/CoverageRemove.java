package io.tsdbsuite.rollup.coverage;

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
   * Removes the windows within bounds.
   *
   * @param dry whether to say only what would be removed
   * @return the windows for people, one line each
   * @throws IOException when HBase fails; then some windows may be gone
   */
  public static List<String> run(CoverageCleaner table, CoverageBounds bounds, boolean dry)
      throws IOException {
    List<String> removed = new ArrayList<>();
    for (Found window : table.windows()) {
      if (bounds.wants(window.row())) {
        if (!dry) {
          table.remove(window);
        }
        removed.add(CoverageText.of(window.row()));
      }
    }
    return removed;
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
