package io.tsdbsuite.rollup.report;

import io.tsdbsuite.rollup.plan.RawFloors;
import java.io.Serializable;
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
 * @param oddMetrics metrics whose rollups may differ from the answers of a TSD, or, with {@code
 *     suite}, lack further aggregators because the run did not know their names
 * @param oddHistograms metrics whose histograms are incomplete or mixed with points, so no level
 *     {@code INTERVAL.histogram} proves them; too many if {@link #hidesOddHistograms}
 * @param refreshes empty if the run did not search for changed rows, or may have missed some
 * @param floors what begins below them was left out, and nothing is proven of it
 * @param first no rollup of the run begins before; null if that is not known
 */
public record RunProof(
    Instant readAsOf,
    List<String> gaps,
    List<OddMetric> oddMetrics,
    List<OddMetric> oddHistograms,
    List<Refresh> refreshes,
    List<RawFloors.Floor> floors,
    @Nullable Instant first) {
  /** A proof that does not tell floors, without odd histograms. */
  public RunProof(
      Instant readAsOf, List<String> gaps, List<OddMetric> oddMetrics, List<Refresh> refreshes) {
    this(readAsOf, gaps, oddMetrics, List.of(), refreshes, List.of(), null);
  }

  /**
   * The same of a run that has left out what begins below floors.
   *
   * @param start as of {@link #first}
   */
  public RunProof above(RawFloors left, Instant start) {
    return new RunProof(readAsOf, gaps, oddMetrics, oddHistograms, refreshes, left.floors(), start);
  }

  /** Whether there are more odd histograms than are named: the run proves none. */
  public boolean hidesOddHistograms() {
    return oddHistograms.size() > Books.ODD_METRICS;
  }

  /**
   * A metric with such rollups, in the window or before it.
   *
   * @param uid of the metric
   * @param from of the first of these hours, seconds since the epoch
   * @param to end of the last one
   */
  public record OddMetric(long uid, long from, long to) implements Serializable {
    /** The hours of both. */
    OddMetric and(OddMetric other) {
      return new OddMetric(uid, Math.min(from, other.from), Math.max(to, other.to));
    }
  }

  /** A gap, also of the changed rows before the window. */
  public static final String SKIPS_FLUSH = "the data snapshot was taken with SKIP_FLUSH";

  /** A gap, also of the changed rows before the window. */
  public static final String EXPIRED =
      "the TTL of the data table may have removed points of the window (--allow-expired)";

  /** Whether rollups of changed rows before the window may lack points, too. */
  public boolean lacksLatePoints() {
    return gaps.contains(SKIPS_FLUSH) || gaps.contains(EXPIRED);
  }

  /**
   * All rows before the window that changed between two times were rolled up again.
   *
   * @param from first hour of which all changed rows were found, inclusive
   * @param to end of these hours, the start of the window or before it
   * @param since all changes from this time on were found, until {@code readAsOf}
   */
  public record Refresh(Instant from, Instant to, Instant since) {}
}
