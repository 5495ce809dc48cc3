package io.tsdbsuite.bulk.plan;

/**
 * The first value of each instant of each series of a sample.
 *
 * <pre>
 *   key     | series: 22 bits | time: 42 bits, milliseconds since the epoch |      never 0
 * </pre>
 */
final class InstantValues {
  private static final int TIME_BITS = 42;

  private long[] keys = new long[1 << 12];
  private long[] values = new long[1 << 12];
  private int size;

  /**
   * Notes a value.
   *
   * @param series number, from 0
   * @param millis since the epoch, above 0
   * @param bits of the value, different for different values
   * @return whether it is the first of its instant, or the same as the first
   */
  boolean agrees(int series, long millis, long bits) {
    long key = ((long) series << TIME_BITS) | millis;
    int slot = slot(key);
    if (keys[slot] == key) {
      return values[slot] == bits;
    }
    keys[slot] = key;
    values[slot] = bits;
    if (++size * 2 > keys.length) {
      grow();
    }
    return true;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    long mixed = key * 0x9e3779b97f4a7c15L;
    int slot = (int) (mixed >>> 32) & mask;
    while (keys[slot] != 0 && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new long[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        values[slot] = oldValues[i];
      }
    }
  }
}
