package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A short way to blocks that were used lately: each has one place, which it shares with others; the
 * stripes of a metric lie side by side. It never holds a block for long that has left the cache:
 * whoever puts one in looks afterwards whether it is still there, whoever takes one out of the
 * cache removes it here afterwards.
 */
final class UsedBlocks {
  private static final int SMALLEST = 64;
  private static final int LARGEST = 1 << 15;

  /** Series for each place. */
  private static final int SERIES = 32;

  private final AtomicReferenceArray<Block> places;
  private final int mask;

  UsedBlocks(long maxSeries) {
    int size = SMALLEST;
    while (size < LARGEST && (long) size * SERIES < maxSeries) {
      size *= 2;
    }
    places = new AtomicReferenceArray<>(size);
    mask = size - 1;
  }

  /** The block that the probe's key names, or null, which says nothing. */
  Block get(Probe probe) {
    Block block = places.get(place(probe.metricHash(), probe.key()));
    return block != null && block.isNamed(probe.key()) ? block : null;
  }

  /** Puts the block that the probe's key names in. */
  void put(Probe probe, Block block) {
    int place = place(probe.metricHash(), probe.key());
    if (places.get(place) != block) {
      places.set(place, block);
    }
  }

  /** Takes a block out, if it is in. */
  void remove(BlockKey key, Block block) {
    int place = place(Hash.ofMetric(key.metric(), key.tsuidLength()), key);
    if (places.get(place) == block) {
      places.compareAndSet(place, block, null);
    }
  }

  private int place(long metricHash, BlockKey key) {
    return ((int) (metricHash >>> 32) + key.stripe()) & mask;
  }

  /** Bytes of its table. */
  long memoryBytes() {
    return 16 + 16 + 4L * places.length();
  }
}
