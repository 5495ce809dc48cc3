package io.tsdbsuite.bulk.series;

import io.tsdbsuite.bulk.error.LoadException;
import java.util.List;

/** Finds, or assigns, the UIDs of series. Safe to share between threads. */
public interface SeriesResolver {
  /**
   * Calls {@link NewSeries#resolved} or {@link NewSeries#refused} of each.
   *
   * @throws LoadException when HBase fails
   */
  void resolve(List<NewSeries> series);
}
