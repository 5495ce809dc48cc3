package io.tsdbsuite.meta.cache;

import java.util.function.BiFunction;

/** Takes a point of a series into its block, which is there; puts the series in if it is not. */
final class Insertion implements BiFunction<BlockKey, Block, Block> {
  private static final int NONE = -1;

  private final Probe probe;
  private final int now;
  private final Room room;
  private final Departures departures;
  private int answer = NONE;
  private boolean wasIn;
  private boolean tooLarge;
  private int dropped;

  Insertion(Probe probe, int now, Room room, Departures departures) {
    this.probe = probe;
    this.now = now;
    this.room = room;
    this.departures = departures;
  }

  @Override
  public Block apply(BlockKey key, Block block) {
    int at = block.find(probe);
    if (at >= 0) {
      answer = block.touch(at, now);
      wasIn = true;
      return block;
    }
    if (!room.take(block.size())) {
      return replaceColdest(key, block);
    }
    if (block.size() >= room.largestBlock() && key.depth() < StripeDepths.DEEPEST) {
      room.release(1);
      tooLarge = true;
      return block;
    }
    return insertInto(block.isFull() ? Rebuild.grown(block) : block);
  }

  private Block insertInto(Block block) {
    block.insert(~block.find(probe), probe, now);
    answer = SeriesCache.DUE;
    return block;
  }

  private Block replaceColdest(BlockKey key, Block block) {
    Survivors survivors = Rebuild.withoutColdest(block, probe.hash());
    if (survivors.departed() != null) {
      departures.add(key.copy(), survivors.departed());
    }
    room.droppedWithin(survivors.dropped());
    room.takeAnyway();
    dropped = survivors.dropped();
    return insertInto(survivors.kept());
  }

  /** The block is to be made for this series. */
  Block first(BlockKey key, int words, boolean counting) {
    room.takeAnyway();
    return insertInto(new Block(key, Block.slotsFor(1), words, counting));
  }

  /** Ready for another try. */
  void again() {
    tooLarge = false;
  }

  /** Whether the point is taken. */
  boolean isDone() {
    return answer != NONE;
  }

  /** Whether the block is to be split first. */
  boolean tooLarge() {
    return tooLarge;
  }

  /** What {@link SeriesCache#touch} is to answer. */
  int answer() {
    return answer;
  }

  /** Whether the series needed no room. */
  boolean wasIn() {
    return wasIn;
  }

  /** Seconds. */
  int now() {
    return now;
  }

  /** Series that went from the block for this one. */
  int dropped() {
    return dropped;
  }
}
