package io.tsdbsuite.meta.cache;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The blocks of a closed cache that does not count points: later points find recently written
 * series here, so a stop does not write them again. Empty for a cache that counts, because every
 * late point must be added.
 */
final class ClosedBlocks {
  private final ConcurrentMap<BlockKey, Block> blocks = new ConcurrentHashMap<>();

  /** Adds a block that left the cache because the cache was closed. */
  void add(BlockKey key, Block block) {
    if (!block.counting()) {
      blocks.put(key, block);
    }
  }

  /**
   * Records a point of a series after the close of the cache, like {@link SeriesCache#touch}.
   * Returns {@link TouchResult#CLOSED} if the caller must write the series, {@link
   * TouchResult#FRESH} if the series is already written or being written.
   *
   * @param depth depth of the metric's blocks
   */
  TouchResult touch(Probe probe, int depth, int now) {
    for (int above = depth; above >= 0; above--) {
      probe.select(above);
      Block block = blocks.get(probe.key());
      if (block != null) {
        int at = block.find(probe);
        if (at >= 0) {
          return takeDue(block, at, now) ? TouchResult.CLOSED : TouchResult.FRESH;
        }
      }
    }
    return TouchResult.CLOSED;
  }

  /**
   * Returns true to exactly one caller for each due series. Owed series are already in the drain.
   */
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
