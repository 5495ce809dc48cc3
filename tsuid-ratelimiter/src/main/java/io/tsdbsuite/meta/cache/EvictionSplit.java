package io.tsdbsuite.meta.cache;

import org.jspecify.annotations.Nullable;

/** Splits a block into kept and dropped series. */
final class EvictionSplit {
  private final Block from;
  private Block kept;
  private @Nullable Block droppedOwed;
  private int dropped;

  /**
   * Prepares the split of a block.
   *
   * @param likely expected number of kept series
   */
  EvictionSplit(Block from, int likely) {
    this.from = from;
    this.kept = from.emptyFor(likely);
  }

  /**
   * Moves the series at an index to the new block.
   *
   * @param word the new state of the series
   */
  void keep(int at, long word) {
    if (kept.isFull()) {
      kept = Rebuild.grown(kept);
    }
    kept.move(from, at, word, from.seal(at));
  }

  /** Drops the series at an index; an owed series moves to {@link #droppedOwed}. */
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

  /** The block of the kept series. */
  Block kept() {
    return kept;
  }

  /** The block of dropped series that are owed; null if there are none. */
  @Nullable Block droppedOwed() {
    return droppedOwed;
  }

  /** Number of dropped series. */
  int dropped() {
    return dropped;
  }
}
