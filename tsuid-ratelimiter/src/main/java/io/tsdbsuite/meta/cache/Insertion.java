package io.tsdbsuite.meta.cache;

import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Takes a point of a series in its existing block; adds the series if it is absent. */
final class Insertion implements BiFunction<BlockKey, Block, Block>, Predicate<Block> {
  private final Probe probe;
  private final int now;
  private final CapacityPolicy capacity;
  private final EvictedBlocks evicted;
  private @Nullable TouchResult answer;
  private boolean wasIn;
  private boolean tooLarge;
  private int dropped;

  Insertion(Probe probe, int now, CapacityPolicy capacity, EvictedBlocks evicted) {
    this.probe = probe;
    this.now = now;
    this.capacity = capacity;
    this.evicted = evicted;
  }

  /** Takes the point unless the block must be replaced first. */
  @Override
  public boolean test(Block block) {
    int at = block.find(probe);
    if (at >= 0) {
      answer = block.touch(at, now);
      wasIn = true;
    } else if (!block.isFull()
        && block.size() < capacity.largestBlock()
        && capacity.take(block.size())) {
      block.insert(~at, probe, now);
      answer = TouchResult.DUE;
    }
    return isDone();
  }

  @Override
  public Block apply(BlockKey key, Block block) {
    if (test(block)) {
      return block;
    }
    if (!capacity.take(block.size())) {
      return replaceColdest(key, block);
    }
    if (block.size() >= capacity.largestBlock() && key.depth() < StripeDepths.DEEPEST) {
      capacity.release(1);
      tooLarge = true;
      return block;
    }
    return insertInto(block.isFull() ? Rebuild.grown(block) : block);
  }

  private Block insertInto(Block block) {
    block.insert(~block.find(probe), probe, now);
    answer = TouchResult.DUE;
    return block;
  }

  private Block replaceColdest(BlockKey key, Block block) {
    EvictionSplit split = Eviction.withoutColdest(block, probe.hash());
    if (split.droppedOwed() != null) {
      evicted.add(key.copy(), split.droppedOwed());
    }
    capacity.droppedWithin(split.dropped());
    capacity.takeAnyway();
    dropped = split.dropped();
    return insertInto(split.kept());
  }

  /** Makes the first block of this series. */
  Block first(BlockKey key, int words, boolean counting) {
    capacity.takeAnyway();
    return insertInto(new Block(key, Block.slotsFor(1), words, counting));
  }

  /** Ready for another try. */
  void again() {
    tooLarge = false;
  }

  /** Whether the point is taken. */
  boolean isDone() {
    return answer != null;
  }

  /** Whether the block must be split first. */
  boolean tooLarge() {
    return tooLarge;
  }

  /** Result for {@link SeriesCache#touch}; null until {@link #isDone}. */
  @Nullable TouchResult answer() {
    return answer;
  }

  /** Whether the series was in the block already. */
  boolean wasIn() {
    return wasIn;
  }

  /** Seconds. */
  int now() {
    return now;
  }

  /** Series dropped from the block for this one. */
  int dropped() {
    return dropped;
  }
}
