package io.tsdbsuite.meta.cache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The blocks of a cache that is closed and did not count points: points that come later find there
 * which series were written lately, so that a stop does not write all of them once more. Of a cache
 * that counts there are none, as every late point is to be added.
 */
final class ClosedBlocks {
  private final ConcurrentMap<BlockKey, Block> blocks = new ConcurrentHashMap<>();

  /** Takes a block that left the cache because it was closed. */
  void add(BlockKey key, Block block) {
    if (!block.counting()) {
      blocks.put(key, block);
    }
  }

  /**
   * As {@link SeriesCache#touch} of a closed cache: {@link TouchResult#CLOSED} if the caller has to
   * write the series, {@link TouchResult#FRESH} if it is written, or is being written.
   *
   * @param depth of the metric
   */
  TouchResult touch(Probe probe, int depth, int now) {
    for (int above = depth; above >= 0; above--) {
      probe.select(above);
      Block block = blocks.get(probe.key());
      int at = block == null ? -1 : block.find(probe);
      if (at >= 0) {
        return takeDue(block, at, now) ? TouchResult.CLOSED : TouchResult.FRESH;
      }
    }
    return TouchResult.CLOSED;
  }

  /** True for one caller of each series that is due; those that are owed are handed over. */
  private static boolean takeDue(Block block, int at, int now) {
    for (; ; ) {
      long word = block.get(at);
      if (!State.isDue(word, now) || (word & State.OWED) != 0) {
        return false;
      }
      if (block.compareAndSet(at, word, word | State.OWED)) {
        return true;
      }
    }
  }
}
