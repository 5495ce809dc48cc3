package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.plan.PlanSize;
import java.util.List;

/**
 * Reads the series of a sub-query once.
 *
 * @param <S> a series
 */
interface SpanReader<S> {
  /** Reads. Fails as a whole if anything fails. */
  Deferred<List<S>> read();

  /** Ends the reading with this failure; nothing happens if it has ended. */
  void stop(Exception failure);

  /**
   * What the reading has shown of the series. Only after it has ended well.
   *
   * @param size of what was read, of a series that has all points
   */
  SeriesEstimate corrected(SeriesEstimate before, PlanSize size);
}
