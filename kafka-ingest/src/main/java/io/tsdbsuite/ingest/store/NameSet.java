package io.tsdbsuite.ingest.store;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The names that were added or asked for last, as hashes of 64 bits: 8 to 32 bytes each. A name
 * that is not in the set is taken for one in it with a probability of less than one in a trillion.
 * Thread-safe; {@link #contains} does not block for a name that was asked for lately.
 *
 * <p>The set has two generations. When the younger one is full, it becomes the older one, and the
 * names of the older one that were not asked for meanwhile are forgotten.
 */
final class NameSet {
  /** Names of a generation by default: 32 MiB, 64 MiB for a moment while it grows. */
  private static final int MOST = 1 << 21;

  private static final int FIRST_SLOTS = 1 << 10;

  /** Not known to those who choose names. */
  private final long seed = ThreadLocalRandom.current().nextLong();

  private final int most;
  private volatile long[] young = new long[FIRST_SLOTS];
  private volatile long[] old = new long[FIRST_SLOTS];
  private int size;

  NameSet() {
    this(MOST);
  }

  /**
   * Creates an empty set.
   *
   * @param most names of a generation
   */
  NameSet(int most) {
    this.most = most;
  }

  boolean contains(String name) {
    long hash = hash(name);
    if (has(young, hash)) {
      return true;
    }
    if (!has(old, hash)) {
      return false;
    }
    add(hash);
    return true;
  }

  void add(String name) {
    add(hash(name));
  }

  private synchronized void add(long hash) {
    long[] table = young;
    if (has(table, hash)) {
      return;
    }
    if (size >= most) {
      old = table;
      size = 0;
      table = new long[FIRST_SLOTS];
    } else if (2 * size >= table.length) {
      long[] wider = new long[2 * table.length];
      for (long each : table) {
        if (each != 0) {
          wider[slot(wider, each)] = each;
        }
      }
      table = wider;
    }
    table[slot(table, hash)] = hash;
    size++;
    // Also makes the hash visible to threads that read without the lock.
    young = table;
  }

  /** A reader beside a writer may miss the newest names, which are then looked up again. */
  private static boolean has(long[] table, long hash) {
    return table[slot(table, hash)] == hash;
  }

  /** The slot of a hash, or the free one for it; at least half of the slots are free. */
  private static int slot(long[] table, long hash) {
    int mask = table.length - 1;
    int slot = (int) hash & mask;
    while (table[slot] != 0 && table[slot] != hash) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private long hash(String name) {
    long hash = seed;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 32;
    }
    return hash == 0 ? 1 : hash;
  }
}
