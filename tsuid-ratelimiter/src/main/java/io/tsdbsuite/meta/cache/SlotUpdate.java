package io.tsdbsuite.meta.cache;

import java.util.function.BiFunction;

/** Does something to one series in its block, inside {@code compute}. */
abstract class SlotUpdate implements BiFunction<BlockKey, Block, Block> {
  private final Probe probe;
  private boolean found;

  SlotUpdate(Probe probe) {
    this.probe = probe;
  }

  @Override
  public final Block apply(BlockKey key, Block block) {
    int at = block.find(probe);
    if (at >= 0) {
      found = true;
      update(block, at);
    }
    return block;
  }

  abstract void update(Block block, int at);

  /** Whether the series was there. */
  final boolean found() {
    return found;
  }

  /** Takes the series, and its points, if it is due. */
  static final class Claiming extends SlotUpdate {
    private final byte[] tsuid;
    private final int now;
    private Claim claim;

    Claiming(Probe probe, byte[] tsuid, int now) {
      super(probe);
      this.tsuid = tsuid;
      this.now = now;
    }

    @Override
    void update(Block block, int at) {
      long word = block.get(at);
      if (State.isDue(word, now)) {
        block.replaceState(at, (word | State.IN_FLIGHT) & ~State.OWED);
        long points = block.takePoints(at);
        claim = new Claim(tsuid, points, (word & State.KNOWN) != 0, (word & State.COUNTED) != 0);
      }
    }

    /** Null if it was not due. */
    Claim claim() {
      return claim;
    }
  }

  /** Ends a claim that is written. */
  static final class Settling extends SlotUpdate {
    private final int dueAt;
    private final boolean known;
    private final boolean counted;

    Settling(Probe probe, int dueAt, boolean known, boolean counted) {
      super(probe);
      this.dueAt = dueAt;
      this.known = known;
      this.counted = counted;
    }

    @Override
    void update(Block block, int at) {
      block.replaceState(at, State.marked(State.landed(block.get(at), dueAt), known, counted));
    }
  }

  /** Ends a claim that is not written. */
  static final class GivingBack extends SlotUpdate {
    private final long points;
    private final int dueAt;

    GivingBack(Probe probe, long points, int dueAt) {
      super(probe);
      this.points = points;
      this.dueAt = dueAt;
    }

    @Override
    void update(Block block, int at) {
      block.addPoints(at, points);
      block.replaceState(at, State.owed(block.get(at), dueAt));
    }
  }

  /** Remembers that a series is due. */
  static final class Owing extends SlotUpdate {
    private final int now;

    Owing(Probe probe, int now) {
      super(probe);
      this.now = now;
    }

    @Override
    void update(Block block, int at) {
      long word = block.get(at);
      if (State.isDue(word, now)) {
        block.replaceState(at, word | State.OWED);
      }
    }
  }
}
