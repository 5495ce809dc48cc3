package io.tsdbsuite.bench.meta;

/** A way to find out which points need a write of meta. Writes are counted, not made. */
interface Way {
  /** Takes a point of a series, and "writes" its meta if it is time. */
  void increment(byte[] tsuid);

  /** Writes of meta since the start. */
  long writes();

  /** Points since the start whose series was not at hand. */
  long misses();

  /** Series at hand. */
  long series();

  /** Its own estimate of the heap it takes, bytes; negative if it has none. */
  long memoryBytes();
}
