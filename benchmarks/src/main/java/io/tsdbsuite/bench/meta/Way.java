package io.tsdbsuite.bench.meta;

/** A cache that decides which points need a meta write. Writes are only counted. */
interface Way {
  /** Adds a point of a series, and counts a meta write if one is due. */
  void increment(byte[] tsuid);

  /** Meta writes since the start. */
  long writes();

  /** Points since the start whose series was not in the cache. */
  long misses();

  /** Series in the cache. */
  long series();

  /** Its own estimate of its heap, bytes; negative if it has none. */
  long memoryBytes();
}
