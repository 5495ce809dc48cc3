package io.tsdbsuite.meta.cache;

/**
 * The state of a series beside its points: the low half of a slot's last word of tags.
 *
 * <pre>
 * | used 1 | in flight 1 | known 1 | counted 1 | frequency 4 | owed 1 | due 23 | bits
 * </pre>
 *
 * <p>Used: the slot holds a series. In flight: it is claimed. Known, counted: the caller's.
 * Frequency: touches, up to 15; halved now and then. Owed: its due write was not possible, so it is
 * written without a further point. Due: a second modulo 2^23 (97 days), which is right from 32 days
 * before it to 65 days after it. Callers ask for 30 days ahead and a backoff at most; the sweep
 * sees to it that nothing stays due for much longer than {@link #LONG_DUE}.
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
  static final long OWED = 1L << 23;

  /** Seconds; a series due for longer must be renewed or dropped. */
  static final int LONG_DUE = 31 * 86_400;

  private static final int AHEAD = 32 * 86_400;
  private static final int DUE = (1 << 23) - 1;

  private State() {}

  /** State of a series with its first point. */
  static long fresh(int now) {
    return USED | (now & DUE);
  }

  /** Whether it is to be claimed. */
  static boolean isDue(long word, int now) {
    return (word & IN_FLIGHT) == 0 && secondsDue(word, now) >= 0;
  }

  /** Time since it became due; negative before that. */
  static int secondsDue(long word, int now) {
    return ((now - (int) word + AHEAD) & DUE) - AHEAD;
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

  /** No longer in flight, and owed, from that second on. */
  static long owed(long word, int dueAt) {
    return landed(word, dueAt) | OWED;
  }

  /** Due since now, if it was for long. */
  static long renewed(long word, int now) {
    return secondsDue(word, now) > LONG_DUE ? (word & ~(long) DUE) | (now & DUE) : word;
  }

  /** With the caller's marks. */
  static long marked(long word, boolean known, boolean counted) {
    return (word & ~(KNOWN | COUNTED)) | (known ? KNOWN : 0) | (counted ? COUNTED : 0);
  }
}
