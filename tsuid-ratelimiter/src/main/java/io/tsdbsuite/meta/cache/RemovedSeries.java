package io.tsdbsuite.meta.cache;

/**
 * Hears of series that left the cache with points that nobody has claimed, or while they were
 * {@linkplain SeriesCache#owe owed}.
 */
public interface RemovedSeries {
  /**
   * Called once per departure of a series, in a thread that uses the cache, mostly the one that
   * made it go, and under none of the cache's locks: it must neither block nor throw.
   *
   * @param tsuid a copy of its own
   * @param points counted and not written; 0 if the series is owed a write for another reason
   */
  void removed(byte[] tsuid, long points);
}
