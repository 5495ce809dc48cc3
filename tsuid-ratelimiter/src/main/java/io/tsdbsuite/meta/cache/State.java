package io.tsdbsuite.meta.cache;

/**
 * The state of a series, without its points: the low 32 bits of the last word of tags in a slot.
 *
 * <pre>
 * | used 1 | in flight 1 | known 1 | counted 1 | frequency 4 | owed 1 | due 23 | bits
 * </pre>
 *
 * <p>Used: the slot holds a series. In flight: it is claimed. Known, counted: marks of the caller.
 * Frequency: number of touches, at most 15, halved from time to time. Owed: its due write was not
 * possible, so it is written without a further point. Due: a second modulo 2^23 (97 days), which is
 * right from 32 days before it to 65 days after it. Callers set a due time at most 30 days and a
 * backoff ahead; the sweep renews or drops each series that has been due for {@link #LONG_DUE}.
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

  /** Maximum time for which a series may be due, seconds; then it must be renewed or dropped. */
  static final int LONG_DUE = 31 * 86_400;

  private static final int AHEAD = 32 * 86_400;
  private static final int DUE = (1 << 23) - 1;

  private State() {}

  /** State of a series with its first point. */
  static long fresh(int now) {
    return USED | (now & DUE);
  }

  /** Whether a claim of the series is due. */
  static boolean isDue(long word, int now) {
    return (word & IN_FLIGHT) == 0 && secondsDue(word, now) >= 0;
  }

  /** Time since the series became due, seconds; negative before that. */
  static int secondsDue(long word, int now) {
    return ((now - (int) word + AHEAD) & DUE) - AHEAD;
  }

  static int frequency(long word) {
    return (int) (word >>> 24) & 15;
  }

  /** Returns the state with half the frequency. */
  static long aged(long word) {
    return (word & ~FREQUENT) | ((word & FREQUENT) >>> 1 & FREQUENT);
  }

  /**
   * Returns the state after a claim has ended: not in flight.
   *
   * @param dueAt next due time, seconds
   */
  static long landed(long word, int dueAt) {
    return (word & ~(IN_FLIGHT | DUE)) | (dueAt & DUE);
  }

  /**
   * Returns the state after a claim that was not written: not in flight, and owed.
   *
   * @param dueAt due time, seconds
   */
  static long owed(long word, int dueAt) {
    return landed(word, dueAt) | OWED;
  }

  /** Returns the state with the due time {@code now} if the series has been due for too long. */
  static long renewed(long word, int now) {
    return secondsDue(word, now) > LONG_DUE ? (word & ~(long) DUE) | (now & DUE) : word;
  }

  /** Returns the state with the caller's marks. */
  static long marked(long word, boolean known, boolean counted) {
    return (word & ~(KNOWN | COUNTED)) | (known ? KNOWN : 0) | (counted ? COUNTED : 0);
  }
}
