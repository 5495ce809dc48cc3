package io.tsdbsuite.meta.cache;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Blocks that are out of the cache, whose owed series are still to be handed over. They wait here
 * because they go while Caffeine or the cache hold locks, and the sink is not to be called under
 * those.
 */
final class EvictedBlocks {
  private final int metricWidth;
  private final Queue<EvictedBlock> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock handingOver = new ReentrantLock();

  EvictedBlocks(int metricWidth) {
    this.metricWidth = metricWidth;
  }

  /** Takes a block that nobody finds any more; it need not be sealed yet. */
  void add(BlockKey key, Block block) {
    queue.add(new EvictedBlock(key, block));
  }

  /** Hands over what is here, unless another thread is doing so: then that one does it all. */
  void handOver(RemovedSeries sink) {
    while (!queue.isEmpty() && handingOver.tryLock()) {
      try {
        handOverQueue(sink);
      } finally {
        handingOver.unlock();
      }
    }
  }

  /** Hands over what is here, and waits until no other thread is doing so. */
  void handOverAll(RemovedSeries sink) {
    handingOver.lock();
    try {
      handOverQueue(sink);
    } finally {
      handingOver.unlock();
    }
  }

  private void handOverQueue(RemovedSeries sink) {
    EvictedBlock next;
    while ((next = queue.poll()) != null) {
      for (int slot = 0; slot < next.block.slots(); slot++) {
        int at = next.block.at(slot);
        long word = next.block.get(at);
        if ((word & State.USED) != 0) {
          long points = next.block.seal(at);
          if (points > 0 || (word & State.OWED) != 0) {
            sink.removed(Tsuid.of(next.key, next.block, at, metricWidth), points);
          }
        }
      }
    }
  }

  private static final class EvictedBlock {
    private final BlockKey key;
    private final Block block;

    EvictedBlock(BlockKey key, Block block) {
      this.key = key;
      this.block = block;
    }
  }
}
