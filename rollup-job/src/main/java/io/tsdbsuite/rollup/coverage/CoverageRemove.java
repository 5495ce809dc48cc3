package io.tsdbsuite.rollup.coverage;

import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.coverage.CoverageCleaner;
import io.tsdbsuite.job.coverage.CoverageCleaner.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Removes windows, and masks that no remaining window needs. */
public final class CoverageRemove {
  /** As of docs/coverage.md: the clocks of two of HBase's servers differ by less. */
  private static final long CLOCK_SKEW = 60_000;

  private final CoverageBounds bounds;
  private final boolean withMasks;
  private final boolean dry;
  private final List<String> removed = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();

  /**
   * @param withMasks whether masks are removed too
   * @param dry whether to say only what would be removed
   */
  public CoverageRemove(CoverageBounds bounds, boolean withMasks, boolean dry) {
    this.bounds = bounds;
    this.withMasks = withMasks;
    this.dry = dry;
  }

  /**
   * Removes. Call once.
   *
   * @throws IOException when HBase fails; then some rows may be gone
   */
  public void run(CoverageCleaner table) throws IOException {
    for (Found<CoverageWindow> window : table.windows()) {
      if (bounds.wants(window.row())) {
        if (!dry) {
          table.removeWindow(window);
        }
        removed.add("window " + CoverageText.of(window.row()));
      }
    }
    if (withMasks) {
      // Read again: another one may have been written meanwhile.
      List<CoverageWindow> remaining =
          table.windows().stream()
              .map(Found::row)
              .filter(window -> !dry || !bounds.wants(window))
              .toList();
      // In doubt a mask stays: a row that cannot be read may be a window that needs it.
      boolean unknown = !table.broken().isEmpty();
      for (Found<List<CoverageMask>> masks : table.masks()) {
        if (masks.row().stream().anyMatch(bounds::wants)) {
          remove(masks, table, unknown || isNeeded(masks.row(), remaining));
        }
      }
    }
  }

  private static boolean isNeeded(List<CoverageMask> masks, List<CoverageWindow> remaining) {
    return masks.stream()
        .anyMatch(mask -> remaining.stream().anyMatch(window -> needs(window, mask)));
  }

  private void remove(Found<List<CoverageMask>> masks, CoverageCleaner table, boolean needed)
      throws IOException {
    if (!needed && !dry) {
      table.removeMasks(masks);
    }
    for (CoverageMask mask : masks.row()) {
      String text = "mask " + CoverageText.of(mask);
      if (needed) {
        kept.add(text + ": a window that stays needs the row");
      } else {
        removed.add(text);
      }
    }
  }

  /** Whether the mask may void a rollup of the window, also of one that does not count now. */
  static boolean needs(CoverageWindow window, CoverageMask mask) {
    return window.from() < mask.to()
        && window.to() > mask.from()
        && window.asOf() <= mask.time() + CLOCK_SKEW
        && (mask.metric().equals(CoverageMask.ALL_METRICS)
            || CoverageBounds.selection(window).wants(mask.metric()));
  }

  /** What was removed, one line for each row. */
  public List<String> removed() {
    return List.copyOf(removed);
  }

  /** Masks that were wanted and stay, one line each. */
  public List<String> kept() {
    return List.copyOf(kept);
  }

  /** Fails if there are rows that cannot be read. */
  public static void requireReadable(CoverageCleaner table) {
    if (!table.broken().isEmpty()) {
      throw JobException.badInput(
          "rows of the coverage table cannot be read, so that TSDs read raw data; delete them with"
              + " hbase shell (deleteall): "
              + String.join("; ", table.broken()));
    }
  }
}
