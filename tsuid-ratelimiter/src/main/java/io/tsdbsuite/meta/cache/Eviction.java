package io.tsdbsuite.meta.cache;

/** Selects which series of a block are dropped. */
final class Eviction {
  /**
   * Divisor: one eighth of the series are dropped. New series stay in this room until their second
   * point. With less room, most new series would be dropped before it; with more room, old series
   * would be dropped.
   */
  private static final int COLDEST = 8;

  private Eviction() {}

  /** Number of series to drop of so many. */
  static int share(int series) {
    return Math.max(1, series / COLDEST);
  }

  /**
   * Drops the least frequent eighth of the series; a random number decides between equal
   * frequencies. Series in flight stay. When a block has dropped twice its size, all frequencies
   * are halved, so that series that were frequent long ago can be dropped.
   */
  static EvictionSplit withoutColdest(Block from, long random) {
    int first = from.slotOf(random);
    Coldest coldest = new Coldest();
    coldest.add(from, first, from.slots());
    coldest.choose(share(from.size()));
    EvictionSplit split = without(coldest, from, first, from.size() + 1);
    Block kept = split.kept();
    int dropped = from.dropped() + split.dropped();
    if (from.dropped() >= 2 * from.size()) {
      kept.age();
      dropped = 0;
    }
    kept.dropped(dropped);
    return split;
  }

  /**
   * Drops the chosen series.
   *
   * @param first the slot to begin with; the last slot is followed by slot 0
   * @param likely expected number of kept series
   */
  static EvictionSplit without(Coldest coldest, Block from, int first, int likely) {
    EvictionSplit split = new EvictionSplit(from, likely);
    for (int i = 0; i < from.slots(); i++) {
      int at = from.at(from.slot(first, i));
      long word = from.get(at);
      if ((word & State.USED) == 0) {
        continue;
      }
      if (Coldest.isDroppable(word) && coldest.takes(word)) {
        split.drop(at);
      } else {
        split.keep(at, word);
      }
    }
    return split;
  }

  /**
   * Drops the {@link Idle} series. None of the kept series has been due for longer than {@link
   * State#LONG_DUE} afterwards.
   */
  static EvictionSplit withoutIdle(Block from, int now, int idleSince) {
    EvictionSplit split = new EvictionSplit(from, from.size() - Idle.in(from, now, idleSince) + 1);
    for (int slot = 0; slot < from.slots(); slot++) {
      int at = from.at(slot);
      long word = from.get(at);
      if ((word & State.USED) == 0) {
        continue;
      }
      if (Idle.is(from, at, now, idleSince)) {
        split.drop(at);
      } else {
        split.keep(at, State.renewed(word, now));
      }
    }
    return split;
  }
}
