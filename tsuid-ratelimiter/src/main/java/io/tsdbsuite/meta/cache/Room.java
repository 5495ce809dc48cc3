package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many series are in, and who has to go for a new one when the cache is full. Mostly the
 * coldest of the same block go; but then blocks would keep their sizes for ever. So a block may
 * grow, and Caffeine then drops a whole block, the least used of all:
 *
 * <ul>
 *   <li>always if it is small: there is little to choose among in it;
 *   <li>after so and so many series were dropped within blocks: the size of the block that went
 *       last times up to {@link #PATIENCE}, the less the longer that had not been touched;
 *   <li>at once if it had not been for {@link #IDLE_SECONDS}: nothing is lost by it.
 * </ul>
 */
final class Room {
  private static final int SMALL_BLOCK = 16;
  private static final int PATIENCE = 128;
  private static final int HALVING_SECONDS = 4;
  private static final int IDLE_SECONDS = 600;

  private final long maxSeries;
  private final int smallBlock;
  private final int largestBlock;
  private final AtomicLong series = new AtomicLong();
  private final AtomicLong untilGrowth;
  private final LongAdder evictions = new LongAdder();
  private volatile int now;

  Room(long maxSeries) {
    this.maxSeries = maxSeries;
    this.smallBlock = (int) Math.min(SMALL_BLOCK, maxSeries / 8);
    this.largestBlock = (int) Math.max(SMALL_BLOCK, Math.min(256, maxSeries / 16));
    this.untilGrowth = new AtomicLong(PATIENCE * (long) largestBlock);
  }

  /** Series, from which on a block is split instead of growing. */
  int largestBlock() {
    return largestBlock;
  }

  /** Takes room for one more series in a block, if it may grow. */
  boolean take(int blockSize, int now) {
    this.now = now;
    if (series.incrementAndGet() <= maxSeries || blockSize < smallBlock || mayGrow(blockSize)) {
      return true;
    }
    series.decrementAndGet();
    return false;
  }

  /** Takes room for the first series of a block. */
  void takeFirst() {
    series.incrementAndGet();
  }

  private boolean mayGrow(int blockSize) {
    long left = untilGrowth.get();
    return left <= 0
        && blockSize <= maxSeries / 2
        && untilGrowth.compareAndSet(left, PATIENCE * (long) largestBlock);
  }

  /**
   * So many series are gone. To be called after Caffeine has heard of it, or it would find itself
   * over its maximum for a moment, and drop a block for nothing.
   */
  void release(int gone) {
    if (gone != 0) {
      series.addAndGet(-gone);
    }
  }

  /** Series were dropped within a block, for a new one. */
  void droppedWithin(int dropped) {
    evictions.add(dropped);
    untilGrowth.addAndGet(-dropped);
  }

  /** Caffeine has dropped a block. */
  void droppedWhole(Block block) {
    int size = block.size();
    series.addAndGet(-size);
    evictions.add(size);
    untilGrowth.set(size * patience(now - block.touchedAt()));
  }

  private static long patience(int idleSeconds) {
    if (idleSeconds >= IDLE_SECONDS) {
      return 0;
    }
    return (long) PATIENCE * HALVING_SECONDS / (HALVING_SECONDS + Math.max(0, idleSeconds));
  }

  /** Series that are in. */
  long series() {
    return series.get();
  }

  /** Series that had to go for others. */
  long evictions() {
    return evictions.sum();
  }
}
