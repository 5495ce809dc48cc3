package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many series are in, and who has to go for a new one when the cache is full:
 *
 * <ul>
 *   <li>The coldest of the same block, mostly. That makes room for some more, in whatever block.
 *   <li>A small block grows all the same, there is little to choose among in it, into a little more
 *       room than was asked for. If that is full too, Caffeine drops the block that is used least.
 *   <li>Now and then it is looked whether Caffeine's coldest block is idle, so that the room of
 *       metrics that ended goes to new ones; see {@link #spares}.
 * </ul>
 */
final class CapacityPolicy {
  private static final int SMALL_BLOCK = 16;
  private static final int LARGEST_BLOCK = 256;

  /** A large cache has larger blocks, so that what leads to them fits into the CPU's caches. */
  private static final int MOST_LARGE_BLOCKS = 4096;

  private static final int LARGEST_OF_ALL = 2048;
  private static final int BUSY_SECONDS = 10;
  private static final int IDLE_SECONDS = 600;
  private static final long PATIENCE = 60_000;

  private final long maxSeries;
  private final int smallBlock;
  private final int largestBlock;
  private final AtomicLong series = new AtomicLong();
  private final AtomicLong untilCheck;
  private final AtomicLong dropped = new AtomicLong();
  private final LongAdder evictions = new LongAdder();

  CapacityPolicy(long maxSeries) {
    this.maxSeries = maxSeries;
    this.smallBlock = (int) Math.min(SMALL_BLOCK, maxSeries / 8);
    this.largestBlock = largestBlock(maxSeries);
    this.untilCheck = new AtomicLong(largestBlock);
  }

  private static int largestBlock(long maxSeries) {
    long wanted = Math.max(LARGEST_BLOCK, Math.min(LARGEST_OF_ALL, maxSeries / MOST_LARGE_BLOCKS));
    return (int) Math.max(SMALL_BLOCK, Math.min(wanted, maxSeries / 16));
  }

  /** Series, from which on a block is split instead of growing. */
  int largestBlock() {
    return largestBlock;
  }

  /** Series that Caffeine is to hold; more than asked for by at most one block. */
  long withReserve() {
    return maxSeries + Math.min(largestBlock, maxSeries / 16);
  }

  /** Takes room for one more series in a block, if it may grow. */
  boolean take(int blockSize) {
    if (series.incrementAndGet() <= maxSeries || blockSize < smallBlock) {
      return true;
    }
    series.decrementAndGet();
    return false;
  }

  /** Takes room for one series, come what may. */
  void takeAnyway() {
    series.incrementAndGet();
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
  void droppedWithin(int gone) {
    evictions.add(gone);
    dropped.addAndGet(gone);
    untilCheck.addAndGet(-gone);
  }

  /** A whole block was dropped. */
  void droppedWhole(Block block) {
    series.addAndGet(-block.size());
    evictions.add(block.size());
  }

  /** Whether the coldest block is to be looked at; true once, then not for a while. */
  boolean isCheckDue() {
    long left = untilCheck.get();
    return left <= 0 && untilCheck.compareAndSet(left, largestBlock);
  }

  /**
   * Whether the coldest block may stay. It goes when more series than its own, times a patience,
   * were dropped elsewhere: 600 after ten seconds without a touch, 17 after a minute, 1 after four.
   * After {@link #IDLE_SECONDS} there is none, and the next is looked at as soon as room is wanted
   * again. So collectors that report once a minute, all their series at once, keep theirs.
   */
  boolean spares(Block coldest, int now) {
    int idle = now - coldest.touchedAt();
    if (idle < BUSY_SECONDS || coldest.size() > maxSeries / 2) {
      return true;
    }
    if (idle >= IDLE_SECONDS) {
      untilCheck.set(0);
      return false;
    }
    long wanted = coldest.size() * PATIENCE / ((long) idle * idle);
    if (dropped.get() < wanted) {
      return true;
    }
    dropped.set(0);
    return false;
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
