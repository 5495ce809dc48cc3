package io.tsdbsuite.meta.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Number of series in the cache, and which series are dropped for a new one when it is full:
 *
 * <ul>
 *   <li>Mostly the coldest series of the same block. This makes room for more, in any block.
 *   <li>A small block grows instead, because it has few series to choose from, into a reserve, and
 *       the coldest series of a group of blocks are dropped; see {@link GroupEviction}. When the
 *       reserve is full too, the least used block is dropped.
 *   <li>Periodically Caffeine's coldest block is checked for idleness, so that the room of metrics
 *       that ended goes to new ones; see {@link #spares}.
 * </ul>
 */
final class CapacityPolicy {
  private static final int SMALL_BLOCK = 16;
  private static final int LARGEST_BLOCK = 256;

  /** A large cache has larger blocks, so that its map of blocks fits into the CPU's caches. */
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

  /** Number of series at which a block is split instead of growing. */
  int largestBlock() {
    return largestBlock;
  }

  /** Number of blocks of a full cache whose metrics are large. */
  long mostBlocks() {
    return maxSeries / largestBlock * 2;
  }

  /** Maximum for Caffeine: the maximum of series and a reserve of at most one block. */
  long withReserve() {
    return maxSeries + reserve();
  }

  private long reserve() {
    return Math.min(largestBlock, maxSeries / 16);
  }

  /** Takes room for one more series in a block, if it may grow. */
  boolean take(int blockSize) {
    if (series.incrementAndGet() <= maxSeries || blockSize < smallBlock) {
      return true;
    }
    series.decrementAndGet();
    return false;
  }

  /** Number of series in the reserve; 0 or less if there are none. */
  int excess() {
    return (int) Math.max(Integer.MIN_VALUE, series.get() - maxSeries);
  }

  /** Whether half of the reserve is used; a block is dropped when all of it is. */
  boolean isReserveHalfUsed() {
    return 2L * excess() > reserve();
  }

  /** Whether there are more series than maximum and reserve. */
  boolean isReserveExceeded() {
    return excess() > reserve();
  }

  /** Takes room for one series unconditionally. */
  void takeAnyway() {
    series.incrementAndGet();
  }

  /**
   * Releases room of dropped series. To be called after Caffeine's weights have changed, or
   * Caffeine would exceed its maximum for a moment and drop a block needlessly.
   */
  void release(int gone) {
    if (gone != 0) {
      series.addAndGet(-gone);
    }
  }

  /** Counts series dropped within a block for a new one. */
  void droppedWithin(int gone) {
    evictions.add(gone);
    dropped.addAndGet(gone);
    untilCheck.addAndGet(-gone);
  }

  /** Counts a dropped block. */
  void droppedWhole(Block block) {
    series.addAndGet(-block.size());
    evictions.add(block.size());
  }

  /** Whether to check the coldest block; true once per interval. */
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

  /** Series in the cache. */
  long series() {
    return series.get();
  }

  /** Series dropped for others. */
  long evictions() {
    return evictions.sum();
  }
}
