package io.tsdbsuite.meta.cache;

import java.util.Arrays;

/**
 * Chooses the least frequent of the series of one or more blocks; never a series in flight. Of
 * equal frequencies, it takes those that {@link #takes} is asked for first. Not thread-safe.
 */
final class Coldest {
  private static final long STATE = State.USED | State.IN_FLIGHT;

  private final int[] series = new int[State.FREQUENCIES];
  private int total;
  private int highest;
  private int ofHighest;

  /** Forgets all series. */
  void clear() {
    Arrays.fill(series, 0);
    total = 0;
  }

  /**
   * Adds series of a block.
   *
   * @param first first slot; the last slot is followed by slot 0
   * @param most maximum number of series
   */
  void add(Block block, int first, int most) {
    int added = 0;
    for (int i = 0; i < block.slots() && added < most; i++) {
      long word = block.get(block.at(block.slot(first, i)));
      if (isDroppable(word)) {
        series[State.frequency(word)]++;
        added++;
      }
    }
    total += added;
  }

  /** Number of series to choose from. */
  int total() {
    return total;
  }

  /** Chooses; {@link #takes} is then true for so many of the series. */
  void choose(int wanted) {
    highest = 0;
    int colder = 0;
    while (highest < State.FREQUENCIES - 1 && colder + series[highest] < wanted) {
      colder += series[highest++];
    }
    ofHighest = wanted - colder;
  }

  /** Whether a series that can be dropped is chosen. Every call counts as one series. */
  boolean takes(long word) {
    int frequency = State.frequency(word);
    return frequency < highest || (frequency == highest && ofHighest-- > 0);
  }

  /**
   * Number of chosen series of a block, from the same slot on as in {@link #add}.
   *
   * @param most maximum number of series to look at
   */
  int count(Block block, int first, int most) {
    int chosen = 0;
    int ofHighestLeft = ofHighest;
    int seen = 0;
    for (int i = 0; i < block.slots() && seen < most; i++) {
      long word = block.get(block.at(block.slot(first, i)));
      if (isDroppable(word)) {
        seen++;
        int frequency = State.frequency(word);
        chosen += frequency < highest || (frequency == highest && ofHighestLeft-- > 0) ? 1 : 0;
      }
    }
    return chosen;
  }

  /** Whether it is the state of a series that is not in flight. */
  static boolean isDroppable(long word) {
    return (word & STATE) == State.USED;
  }
}
