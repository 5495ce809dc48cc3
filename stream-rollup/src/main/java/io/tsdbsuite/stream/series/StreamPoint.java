package io.tsdbsuite.stream.series;

/**
 * A point or native histogram on its way to the state of its series. Mutable and reused between
 * operators, so the fields are public.
 */
public final class StreamPoint {
  /** That of points. */
  public static final byte[] NO_CELL = {};

  /** {@link SeriesHash} of the names. */
  public long hash;

  /** Encoded by {@link SeriesNames}. */
  public byte[] names = {};

  /** Timestamp of the point, milliseconds since the epoch. */
  public long millis;

  /** Flags of {@link PointColumn}. */
  public int flags;

  /** The bytes of the stored value as an unsigned big-endian number. */
  public long bits;

  /**
   * Of a native histogram the id of its codec and its bytes, as a TSD stores it; of a point empty.
   * Never changed once it is set.
   */
  public byte[] cell = NO_CELL;

  /**
   * Time of the message, milliseconds since the epoch; Long.MIN_VALUE if it is not known. Minus a
   * time where messages are missing before that time: the series goes on when {@link
   * IncompleteTimes} has it.
   */
  public long messageMillis = Long.MIN_VALUE;

  /** Whether the timestamp is further ahead of the message's than the slack. */
  public boolean ahead;

  /** Creates an empty point. */
  public StreamPoint() {}
}
