package io.tsdbsuite.bulk.group;

import io.tsdbsuite.bulk.report.Keyed;

/** Which of several different values of one instant is loaded. */
public enum OnConflict implements Keyed {
  /** None: the load stops there. */
  FAIL,
  /** The one that comes first in the input; a stored one comes before all input. */
  FIRST,
  /** The one that comes last in the input. */
  LAST,
  /** The largest number. */
  MAX
}
