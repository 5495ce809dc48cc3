package io.tsdbsuite.meta.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All blocks, in Caffeine. A metric has one block until it is large; then its series are halved by
 * their hashes, repeatedly. Halving only records the new depth: a block is split at the first
 * lookup of one of its series at the new depth, so a series is in the block of its metric's depth,
 * or in one above.
 *
 * <p>Order of locks: the metric's lock, which guards its depth and its set of blocks; Caffeine's
 * own locks; the block's lock. No lock is held when the sink is called.
 *
 * <p>Caffeine learns of a block's series only when the block is replaced: writes for it took a
 * fifth or more of a new series' time. So the weights lag behind the sizes, and {@link #dropExcess}
 * keeps the maximum.
 */
final class Blocks {
  private static final int LOCKS = 64;

  private final boolean counting;
  private final Cache<BlockKey, Block> cache;
  private final ConcurrentMap<BlockKey, Block> map;
  private final Policy<BlockKey, Block> policy;
  private final StripeDepths depths = new StripeDepths();
  private final RecentBlocks recent;
  private final CapacityPolicy capacity;
  private final EvictedBlocks evicted;
  private final GroupEviction groupEviction;
  private final ClosedBlocks closedBlocks = new ClosedBlocks();
  private final Object[] locks = new Object[LOCKS];
  private volatile boolean closed;

  Blocks(CacheSettings settings, CapacityPolicy capacity, EvictedBlocks evicted) {
    this.counting = settings.counting();
    this.capacity = capacity;
    this.evicted = evicted;
    this.recent = new RecentBlocks(capacity.mostBlocks());
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
    cache =
        Caffeine.newBuilder()
            .maximumWeight(capacity.withReserve())
            .weigher((BlockKey key, Block block) -> block.size())
            .executor(Runnable::run)
            .removalListener(
                (key, block, cause) -> {
                  // Removals by this cache are accounted for where they happen.
                  if (cause.wasEvicted() && key != null && block != null) {
                    end(block);
                    capacity.droppedWhole(block);
                    evicted.add(key, block);
                  }
                })
            .build();
    map = cache.asMap();
    policy = cache.policy();
    groupEviction = new GroupEviction(this, capacity, evicted);
  }

  /**
   * The block of a series, null if there is none. The call takes no lock, and does not count as a
   * use.
   */
  @Nullable Block get(Probe probe) {
    probe.select(depths.get(probe.metric(), probe.length()));
    Block block = recent.get(probe.key());
    if (block == null) {
      block = policy.getIfPresentQuietly(probe.key());
      if (block != null) {
        recent.add(block);
      }
    }
    return block;
  }

  private void end(Block block) {
    block.end();
    recent.remove(block);
  }

  /** Whether {@link #use} is to be called; asked before the point is taken. */
  static boolean isUse(Block block, Probe probe, int now) {
    return probe.isSample() || block.touchedAt() != now;
  }

  /** Records a use of the block that the last {@link #get} returned in Caffeine. */
  void use(Probe probe) {
    cache.getIfPresent(probe.key());
  }

  /**
   * Adds a point of a series that is not in the block that {@link #get} returned; returns null if
   * the cache is closed.
   */
  @Nullable TouchResult insert(Insertion insertion, Probe probe, @Nullable Block block) {
    // Before the insertion: the new series is not dropped until its caller has claimed it.
    int dropped = capacity.excess() > 0 ? groupEviction.dropColdest() : 0;
    boolean use = block != null && isUse(block, probe, insertion.now());
    if (block == null || !block.change(insertion)) {
      compute(probe.key(), insertion);
    } else if (use) {
      use(probe);
    }
    if (!insertion.isDone()) {
      synchronized (lockFor(probe.metric(), probe.length())) {
        if (closed) {
          return null;
        }
        insertLocked(insertion, probe);
      }
    }
    capacity.release(insertion.dropped());
    if (capacity.isReserveExceeded()) {
      dropExcess();
    }
    if (dropped + insertion.dropped() > 0 && capacity.isCheckDue()) {
      dropColdest(coldest -> !capacity.spares(coldest, insertion.now()));
    }
    return insertion.answer();
  }

  /** Drops the coldest blocks until the reserve has room, one thread at a time. */
  private synchronized void dropExcess() {
    boolean more = true;
    while (more && capacity.isReserveExceeded()) {
      more = dropColdest(block -> true);
    }
  }

  /** Drops Caffeine's coldest block if the condition holds; returns whether there is a block. */
  private boolean dropColdest(Predicate<Block> condition) {
    Map<BlockKey, Block> coldest = policy.eviction().get().coldest(1);
    coldest.forEach(
        (key, seen) -> {
          if (condition.test(seen)) {
            dropWhole(key);
          }
        });
    return !coldest.isEmpty();
  }

  private void dropWhole(BlockKey key) {
    Block[] gone = new Block[1];
    compute(
        key,
        (stored, block) -> {
          // Inside compute, so that a thread that misses the block finds it among the evicted.
          evicted.add(stored, block);
          gone[0] = block;
          return null;
        });
    if (gone[0] != null) {
      capacity.droppedWhole(gone[0]);
    }
  }

  private void insertLocked(Insertion insertion, Probe probe) {
    int depth = depths.get(probe.metric(), probe.length());
    for (; ; ) {
      insertion.again();
      probe.select(depth);
      compute(probe.key(), insertion);
      if (insertion.isDone()) {
        return;
      }
      if (insertion.tooLarge()) {
        depth++;
        depths.set(probe.metric(), probe.length(), depth);
      }
      if (!splitAbove(probe, depth)) {
        probe.select(depth);
        BlockKey key = probe.key().copy();
        map.put(key, insertion.first(key, probe.words(), counting));
        return;
      }
    }
  }

  /** Splits the nearest block above the series' own, if there is one. */
  private boolean splitAbove(Probe probe, int depth) {
    for (int above = depth - 1; above >= 0; above--) {
      probe.select(above);
      Block block = map.remove(probe.key());
      if (block != null) {
        end(block);
        for (Block half : Rebuild.halves(block)) {
          if (half.size() > 0) {
            map.put(half.key(), half);
          }
        }
        return true;
      }
    }
    return false;
  }

  /**
   * Finds and changes a series under the lock of its block.
   *
   * @return result of the change; null if the cache does not have the series
   */
  <T> @Nullable T update(Probe probe, SlotUpdate.Change<T> change) {
    SlotUpdate<T> update = new SlotUpdate<>(probe, change);
    Block block = get(probe);
    if (block == null || !block.change(update)) {
      synchronized (lockFor(probe.metric(), probe.length())) {
        boolean found = false;
        int depth = depths.get(probe.metric(), probe.length());
        for (; depth >= 0 && !found; depth--) {
          probe.select(depth);
          found = changed(probe.key(), update);
        }
      }
    }
    return update.result();
  }

  /** Changes a block in place; waits if it is being replaced. */
  private boolean changed(BlockKey key, Predicate<Block> change) {
    boolean[] changed = {false};
    compute(
        key,
        (stored, block) -> {
          changed[0] = change.test(block);
          return block;
        });
    return changed[0];
  }

  /** Runs a function on a block, if it is present, inside {@code compute} and the block's lock. */
  void compute(BlockKey key, BiFunction<BlockKey, Block, @Nullable Block> function) {
    map.computeIfPresent(
        key,
        (stored, block) -> {
          Block after = block.replace(stored, function);
          if (after != block) {
            recent.remove(block);
          }
          return after;
        });
  }

  /** A block, null if it is absent; does not count as a use. */
  @Nullable Block peek(BlockKey key) {
    return policy.getIfPresentQuietly(key);
  }

  /** Refuses new blocks from now on, and moves all blocks to the evicted. */
  void close() {
    closed = true;
    for (Object lock : locks) {
      synchronized (lock) {
        // A thread that held the lock may not have seen the flag.
        assert closed;
      }
    }
    for (BlockKey key : map.keySet()) {
      Block block = map.remove(key);
      if (block != null) {
        end(block);
        capacity.release(block.size());
        closedBlocks.add(key, block);
        evicted.add(key, block);
      }
    }
    // Waits for evictions under way in other threads.
    cache.cleanUp();
  }

  /** Takes a point of a series after {@link #close}. */
  TouchResult touchClosed(Probe probe, int now) {
    return closedBlocks.touch(probe, depths.get(probe.metric(), probe.length()), now);
  }

  boolean isClosed() {
    return closed;
  }

  ConcurrentMap<BlockKey, Block> map() {
    return map;
  }

  RecentBlocks recent() {
    return recent;
  }

  StripeDepths depths() {
    return depths;
  }

  private Object lockFor(long metric, int length) {
    return locks[(int) Hash.mix(metric, length) & (LOCKS - 1)];
  }
}
