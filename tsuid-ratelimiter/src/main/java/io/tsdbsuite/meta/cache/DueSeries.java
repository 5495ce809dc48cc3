package io.tsdbsuite.meta.cache;

/**
 * Hears of series that are due although no point of theirs comes; see {@link SeriesCache#sweep}.
 */
public interface DueSeries {
  /**
   * One series that has points which nobody has claimed, or is {@linkplain SeriesCache#owe owed}.
   *
   * @param tsuid a copy of its own
   * @return false to end the sweep here; the next one goes on at this block
   */
  boolean due(byte[] tsuid);
}
