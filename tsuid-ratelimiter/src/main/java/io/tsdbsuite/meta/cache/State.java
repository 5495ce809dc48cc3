package io.tsdbsuite.meta.cache;

/**
 * What is known of a series beside its points: the low half of a slot's last word of tags.
 *
 * <pre>
 * | used 1 | in flight 1 | known 1 | counted 1 | frequency 4 | due 24 | bits
 * </pre>
 *
 * <p>Used: the slot holds a series. In flight: it is claimed. Known, counted: the caller's. Due: a
 * second modulo 2^24 (194 days), compared by signed difference: within 97 days of now it is right.
 * Frequency: touches, up to 15; halved now and then.
 */
final class State {
  static final long MASK = 0xffffffffL;
  static final long USED = 1L << 31;
  static final long IN_FLIGHT = 1L << 30;
  static final long KNOWN = 1L << 29;
  static final long COUNTED = 1L << 28;
  static final long FREQUENT = 15L << 24;
  static final long ONE_TOUCH = 1L << 24;
  static final int FREQUENCIES = 16;
  private static final long DUE = (1L << 24) - 1;

  private State() {}

  /** A series at first sight. */
  static long fresh(int now) {
    return USED | (now & DUE);
  }

  /** Whether somebody has to claim it. */
  static boolean isDue(long word, int now) {
    return (word & IN_FLIGHT) == 0 && secondsDue(word, now) >= 0;
  }

  /** How long it has been due; negative before that. */
  static int secondsDue(long word, int now) {
    return ((now - (int) word) << 8) >> 8;
  }

  static int frequency(long word) {
    return (int) (word >>> 24) & 15;
  }

  /** With half the frequency. */
  static long aged(long word) {
    return (word & ~FREQUENT) | ((word & FREQUENT) >>> 1 & FREQUENT);
  }

  /** No longer in flight, and due at that second. */
  static long landed(long word, int dueAt) {
    return (word & ~(IN_FLIGHT | DUE)) | (dueAt & DUE);
  }

  /** With the caller's marks. */
  static long marked(long word, boolean known, boolean counted) {
    return (word & ~(KNOWN | COUNTED)) | (known ? KNOWN : 0) | (counted ? COUNTED : 0);
  }
}
