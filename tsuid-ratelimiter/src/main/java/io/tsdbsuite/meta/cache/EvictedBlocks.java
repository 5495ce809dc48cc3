package io.tsdbsuite.meta.cache;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Blocks that left the cache and whose owed series are not handed over yet. They are queued because
 * blocks leave while Caffeine or the cache hold locks, under which the sink must not be called.
 */
final class EvictedBlocks {
  private final int metricWidth;
  private final Queue<EvictedBlock> queue = new ConcurrentLinkedQueue<>();
  private final ReentrantLock handingOver = new ReentrantLock();

  EvictedBlocks(int metricWidth) {
    this.metricWidth = metricWidth;
  }

  /** Adds a block that no lookup finds any more; it need not be sealed yet. */
  void add(BlockKey key, Block block) {
    queue.add(new EvictedBlock(key, block));
  }

  /** Hands over all queued blocks, unless another thread is doing so. */
  void handOver(RemovedSeries sink) {
    while (!queue.isEmpty() && handingOver.tryLock()) {
      try {
        handOverQueue(sink);
      } finally {
        handingOver.unlock();
      }
    }
  }

  /** Hands over all queued blocks, after any other thread that is doing so. */
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
