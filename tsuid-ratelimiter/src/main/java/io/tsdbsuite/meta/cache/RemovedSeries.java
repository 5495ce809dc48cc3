package io.tsdbsuite.meta.cache;

/**
 * Receives series that left the cache with unclaimed points, or while they were {@linkplain
 * SeriesCache#owe owed}.
 */
public interface RemovedSeries {
  /**
   * Called once per removal of a series, in a thread that uses the cache, and outside of the
   * cache's locks: it must neither block nor throw.
   *
   * @param tsuid a copy
   * @param points counted and not written; 0 if the series is owed a write for another reason
   */
  void removed(byte[] tsuid, long points);
}
