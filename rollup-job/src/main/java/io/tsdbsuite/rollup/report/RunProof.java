package io.tsdbsuite.rollup.report;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rollups of a finished run prove, once all of them are stored: that no rollup of the
 * window is missing or wrong. {@code rollup-job load} writes it into the coverage.
 *
 * @param readAsOf creation time of the data snapshot: all points stored by then were read. Not the
 *     timestamp of the rollups, which can be later
 * @param gaps why rollups of the run may be missing or differ from the answers of a TSD, one
 *     sentence each; if there is one, the run proves nothing
 * @param oddMetrics UIDs of metrics whose rollups may differ from the answers of a TSD
 * @param refresh null if the run did not search for changed rows, or may have missed some
 */
public record RunProof(
    Instant readAsOf, List<String> gaps, List<Long> oddMetrics, @Nullable Refresh refresh) {

  /**
   * All rows before the window that changed between two times were rolled up again.
   *
   * @param from first hour of which all changed rows were found, inclusive; the end is the start of
   *     the window
   * @param since all changes from this time on were found, until {@code readAsOf}
   */
  public record Refresh(Instant from, Instant since) {}
}
