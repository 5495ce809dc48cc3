package io.tsdbsuite.meta.cache;

/** Result of {@link SeriesCache#touch}. */
public enum TouchResult {
  /** No write is due. */
  FRESH,

  /** A write of the series is due: {@link SeriesCache#claim} it. */
  DUE,

  /** The cache is closed, the point was not taken, and a write of the series is due. */
  CLOSED
}
