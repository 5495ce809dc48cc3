package io.tsdbsuite.synthetic.text;

import io.tsdbsuite.synthetic.UsageException;

/** In which order the points of a shape are written. */
public enum LineOrder {
  /** Series after series, each in the order of time. */
  SERIES("series"),
  /** The first point of each series, then the second of each: as collectors write them. */
  TIME("time"),
  /** Lines ordered by time, then shuffled within windows of equal size. */
  SHUFFLED("shuffled");

  private final String key;

  LineOrder(String key) {
    this.key = key;
  }

  /** Its name on the command line. */
  public String key() {
    return key;
  }

  /**
   * The order of this name.
   *
   * @throws UsageException with all names, when there is none
   */
  public static LineOrder of(String key) {
    for (LineOrder order : values()) {
      if (order.key.equals(key)) {
        return order;
      }
    }
    throw new UsageException("order must be one of series, time, shuffled, found '" + key + "'");
  }
}
