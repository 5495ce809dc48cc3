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

  /**
   * Drops the least frequent eighth of the series; a random number decides between equal
   * frequencies. Series in flight stay. When a block has dropped twice its size, all frequencies
   * are halved, so that series that were frequent long ago can be dropped.
   */
  static EvictionSplit withoutColdest(Block from, long random) {
    int wanted = Math.max(1, from.size() / COLDEST);
    int[] series = new int[State.FREQUENCIES];
    for (int slot = 0; slot < from.slots(); slot++) {
      long word = from.get(from.at(slot));
      if ((word & (State.USED | State.IN_FLIGHT)) == State.USED) {
        series[State.frequency(word)]++;
      }
    }
    int coldest = 0;
    int colder = 0;
    while (coldest < State.FREQUENCIES - 1 && colder + series[coldest] < wanted) {
      colder += series[coldest++];
    }
    int ties = wanted - colder;
    boolean age = from.dropped() >= 2 * from.size();
    EvictionSplit split = new EvictionSplit(from, from.size() + 1);
    int slots = from.slots();
    int start = (int) (((random & 0xffffffffL) * slots) >>> 32);
    for (int i = 0; i < slots; i++) {
      int slot = start + i < slots ? start + i : start + i - slots;
      int at = from.at(slot);
      long word = from.get(at);
      if ((word & State.USED) == 0) {
        continue;
      }
      int frequency = State.frequency(word);
      boolean drop = (word & State.IN_FLIGHT) == 0 && frequency <= coldest;
      if (drop && frequency == coldest) {
        drop = ties-- > 0;
      }
      if (drop) {
        split.drop(at);
      } else {
        split.keep(at, age ? State.aged(word) : word);
      }
    }
    Block kept = split.kept();
    kept.dropped(age ? 0 : from.dropped() + split.dropped());
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
