package io.tsdbsuite.meta.cache;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Drops the coldest series of a group of blocks: a small block has too few series to choose from.
 * The groups follow each other round all blocks. Thread-safe; one thread drops at a time.
 */
final class GroupEviction {
  /** Number of series to choose from. */
  private static final int GROUP = 128;

  /** Maximum number of blocks to look at: a block has no series to choose if all are in flight. */
  private static final int MOST_BLOCKS = 2 * GROUP;

  /** Series of a larger block that stand for all of them. */
  private static final int SAMPLE = 16;

  /** Chosen series of a sample for which a larger block drops its coldest eighth. */
  private static final int EIGHTH = SAMPLE / 8;

  /** Rounds over all blocks after which small blocks halve their frequencies; see Eviction. */
  private static final int ROUNDS_TO_AGE = 16;

  private final Blocks blocks;
  private final CapacityPolicy capacity;
  private final EvictedBlocks evicted;
  private final ReentrantLock dropping = new ReentrantLock();

  // All below are guarded by the lock.
  private final List<BlockKey> group = new ArrayList<>();
  private final Coldest coldest = new Coldest();
  private Iterator<Map.Entry<BlockKey, Block>> rest = Collections.emptyIterator();
  private int rounds;
  private long calls;

  GroupEviction(Blocks blocks, CapacityPolicy capacity, EvictedBlocks evicted) {
    this.blocks = blocks;
    this.capacity = capacity;
    this.evicted = evicted;
  }

  /**
   * Drops the coldest series of the next group if there are too many series. While another thread
   * does so, it waits only if the reserve is half used. The caller holds no lock.
   *
   * @return number of dropped series
   */
  int dropColdest() {
    if (capacity.isReserveHalfUsed()) {
      dropping.lock();
    } else if (!dropping.tryLock()) {
      return 0;
    }
    try {
      int excess = capacity.excess();
      return excess > 0 ? dropColdest(excess) : 0;
    } finally {
      dropping.unlock();
    }
  }

  private int dropColdest(int excess) {
    calls++;
    takeGroup();
    int wanted = Math.max(Eviction.share(coldest.total()), excess);
    coldest.choose(wanted);
    int dropped = 0;
    for (int i = 0; i < group.size() && dropped < wanted; i++) {
      BlockKey key = group.get(i);
      Block block = blocks.peek(key);
      if (block != null && isChosen(block)) {
        dropped += drop(key);
      }
    }
    return dropped;
  }

  /** Takes the next blocks; a group ends with the round. */
  private void takeGroup() {
    group.clear();
    coldest.clear();
    if (!rest.hasNext()) {
      rest = blocks.map().entrySet().iterator();
      rounds++;
    }
    for (int seen = 0; seen < MOST_BLOCKS && coldest.total() < GROUP && rest.hasNext(); seen++) {
      Map.Entry<BlockKey, Block> next = rest.next();
      Block block = next.getValue();
      if (isSmall(block) && rounds % ROUNDS_TO_AGE == 0) {
        block.age();
      }
      group.add(next.getKey());
      coldest.add(block, first(block), SAMPLE);
    }
  }

  private static boolean isSmall(Block block) {
    return block.size() <= SAMPLE;
  }

  /** The slot at which the sample of a block begins. */
  private int first(Block block) {
    return block.slotOf(Hash.finish(calls));
  }

  private boolean isChosen(Block block) {
    return coldest.count(block, first(block), SAMPLE) >= (isSmall(block) ? 1 : EIGHTH);
  }

  private int drop(BlockKey key) {
    int[] dropped = {0};
    blocks.compute(
        key,
        (stored, block) -> {
          EvictionSplit split = isSmall(block) ? small(block) : large(block);
          if (split.droppedOwed() != null) {
            // Inside compute, so that a thread that misses the series finds it among the evicted.
            evicted.add(stored, split.droppedOwed());
          }
          dropped[0] = split.dropped();
          return split.kept().size() == 0 ? null : split.kept();
        });
    capacity.droppedWithin(dropped[0]);
    capacity.release(dropped[0]);
    return dropped[0];
  }

  private EvictionSplit small(Block block) {
    int first = first(block);
    int chosen = coldest.count(block, first, SAMPLE);
    return Eviction.without(coldest, block, first, block.size() - chosen);
  }

  private EvictionSplit large(Block block) {
    return Eviction.withoutColdest(block, Hash.finish(calls));
  }
}
