package io.tsdbsuite.bulk.series;

import io.tsdbsuite.job.JobException;
import java.util.List;

/** Looks up or assigns the UIDs of series. Thread-safe. */
public interface SeriesResolver {
  /**
   * Calls {@link NewSeries#resolved} or {@link NewSeries#refused} of each.
   *
   * @throws JobException when HBase fails
   */
  void resolve(List<NewSeries> series);
}
