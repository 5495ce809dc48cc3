package io.tsdbsuite.meta.cache;

/** Receives due series without a further point; see {@link SeriesCache#sweep}. */
public interface DueSeries {
  /**
   * One series that has unclaimed points, or is {@linkplain SeriesCache#owe owed}.
   *
   * @param tsuid a copy
   * @return false to end the sweep here; the next one goes on at this block
   */
  boolean due(byte[] tsuid);
}
