package io.tsdbsuite.meta.cache;

/**
 * Finds series that can be dropped: series that have been due for long, are not claimed, and have
 * no outstanding write. Such a series is due at its next point whether or not it was dropped.
 */
final class Idle {
  private Idle() {}

  static boolean is(Block block, int at, int now, int idleSince) {
    long word = block.get(at);
    return (word & (State.USED | State.IN_FLIGHT)) == State.USED
        && State.secondsDue(word, now) >= now - idleSince
        && !block.isOwed(at);
  }

  /** Number of idle series of a block. */
  static int in(Block block, int now, int idleSince) {
    int idle = 0;
    for (int slot = 0; slot < block.slots(); slot++) {
      idle += is(block, block.at(slot), now, idleSince) ? 1 : 0;
    }
    return idle;
  }
}
