package io.tsdbsuite.meta.cache;

/**
 * Moves the series of a block to others, and seals it. Inside {@code compute} of its key, or when
 * it is out of the cache and no other thread has it.
 */
final class Rebuild {
  private Rebuild() {}

  /** Into a larger one: about a fifth more slots, so that little is empty. */
  static Block grown(Block from) {
    int step = Math.max(1, from.slots() / 6);
    Block to = from.emptyFor(from.size() + step);
    moveAll(from, to);
    return to;
  }

  /** All series to another block that has room for them. */
  static void moveAll(Block from, Block to) {
    for (int slot = 0; slot < from.slots(); slot++) {
      int at = from.at(slot);
      if ((from.get(at) & State.USED) != 0) {
        to.move(from, at, from.get(at), from.seal(at));
      }
    }
  }

  /** Into the two that its series belong to one level deeper. */
  static Block[] halves(Block from) {
    BlockKey key = from.key();
    int depth = key.depth();
    int upper = 0;
    for (int slot = 0; slot < from.slots(); slot++) {
      int at = from.at(slot);
      if ((from.get(at) & State.USED) != 0) {
        upper += BlockKey.stripe(from.hash(at), depth + 1) & 1;
      }
    }
    int lower = from.size() - upper;
    Block[] halves = {
      from.emptyFor(key.half(0), lower + lower / 8 + 1),
      from.emptyFor(key.half(1), upper + upper / 8 + 1)
    };
    for (int slot = 0; slot < from.slots(); slot++) {
      int at = from.at(slot);
      if ((from.get(at) & State.USED) != 0) {
        Block half = halves[BlockKey.stripe(from.hash(at), depth + 1) & 1];
        half.move(from, at, from.get(at), from.seal(at));
      }
    }
    return halves;
  }
}
