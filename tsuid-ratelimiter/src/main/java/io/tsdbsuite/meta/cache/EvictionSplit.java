package io.tsdbsuite.meta.cache;

/** A block of which some series are kept and some are dropped. */
final class EvictionSplit {
  private final Block from;
  private Block kept;
  private Block droppedOwed;
  private int dropped;

  /** Of a block; so many are likely to be kept. */
  EvictionSplit(Block from, int likely) {
    this.from = from;
    this.kept = from.emptyFor(likely);
  }

  /** Moves the series there to the new block, with that state. */
  void keep(int at, long word) {
    if (kept.isFull()) {
      kept = Rebuild.grown(kept);
    }
    kept.move(from, at, word, from.seal(at));
  }

  /** Leaves the series there out; if it is owed it is in {@link #droppedOwed}. */
  void drop(int at) {
    dropped++;
    long word = from.get(at);
    long points = from.seal(at);
    if (points > 0 || (word & State.OWED) != 0) {
      if (droppedOwed == null || droppedOwed.isFull()) {
        Block larger = from.emptyFor(droppedOwed == null ? 4 : 2 * droppedOwed.size());
        if (droppedOwed != null) {
          Rebuild.moveAll(droppedOwed, larger);
        }
        droppedOwed = larger;
      }
      droppedOwed.move(from, at, word, points);
    }
  }

  /** The new block. */
  Block kept() {
    return kept;
  }

  /** Dropped series that are owed; null if there are none. */
  Block droppedOwed() {
    return droppedOwed;
  }

  /** How many were dropped. */
  int dropped() {
    return dropped;
  }
}
