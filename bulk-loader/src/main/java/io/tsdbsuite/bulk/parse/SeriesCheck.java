package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.series.NewSeries;

/** Parses and checks the names of a series that is seen for the first time. */
@FunctionalInterface
public interface SeriesCheck {
  /**
   * The series with its names, or refused if they are illegal.
   *
   * @param text valid until the call returns
   */
  NewSeries check(SeriesText text);

  /** Whether the names of a series may be others than those of its text. */
  default boolean changesNames() {
    return false;
  }
}
