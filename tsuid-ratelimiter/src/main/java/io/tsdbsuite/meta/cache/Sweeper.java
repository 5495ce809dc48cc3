package io.tsdbsuite.meta.cache;

import java.util.Collections;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Visits all blocks, some blocks at a time. A visit does not count as a use of the block. */
final class Sweeper {
  /** Divisor: a block is rebuilt when at least one quarter of its series are idle. */
  private static final int WORTHWHILE = 4;

  private final Blocks blocks;
  private final CapacityPolicy capacity;
  private final EvictedBlocks evicted;
  private final int metricWidth;
  private Iterator<BlockKey> rest = Collections.emptyIterator();
  private @Nullable BlockKey unfinished;

  Sweeper(Blocks blocks, CapacityPolicy capacity, EvictedBlocks evicted, int metricWidth) {
    this.blocks = blocks;
    this.capacity = capacity;
    this.evicted = evicted;
    this.metricWidth = metricWidth;
  }

  /** See {@link SeriesCache#sweep}. */
  boolean sweep(int maxBlocks, int now, int idleSince, DueSeries due) {
    if (unfinished == null && !rest.hasNext()) {
      rest = blocks.map().keySet().iterator();
    }
    for (int visited = 0; visited < maxBlocks; visited++) {
      if (unfinished == null) {
        if (!rest.hasNext()) {
          break;
        }
        unfinished = rest.next();
      }
      Block block = blocks.peek(unfinished);
      if (block != null) {
        if (!visit(unfinished, block, now, idleSince, due)) {
          return false;
        }
      }
      unfinished = null;
    }
    return !rest.hasNext();
  }

  private boolean visit(BlockKey key, Block block, int now, int idleSince, DueSeries due) {
    boolean longDue = false;
    for (int slot = 0; slot < block.slots(); slot++) {
      int at = block.at(slot);
      long word = block.get(at);
      if ((word & State.USED) == 0) {
        continue;
      }
      longDue |= State.secondsDue(word, now) > State.LONG_DUE;
      if (State.isDue(word, now)
          && block.isOwed(at)
          && !due.due(Tsuid.of(key, block, at, metricWidth))) {
        return false;
      }
    }
    int idle = Idle.in(block, now, idleSince);
    if (longDue || (idle > 0 && idle >= block.size() / WORTHWHILE)) {
      dropIdle(key, now, idleSince);
    }
    return true;
  }

  private void dropIdle(BlockKey key, int now, int idleSince) {
    int[] dropped = {0};
    blocks.compute(
        key,
        (stored, block) -> {
          EvictionSplit split = Eviction.withoutIdle(block, now, idleSince);
          if (split.droppedOwed() != null) {
            evicted.add(key, split.droppedOwed());
          }
          dropped[0] = split.dropped();
          return split.kept().size() == 0 ? null : split.kept();
        });
    capacity.release(dropped[0]);
  }
}
