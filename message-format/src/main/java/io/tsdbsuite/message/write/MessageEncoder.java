package io.tsdbsuite.message.write;

import java.io.ByteArrayOutputStream;

/**
 * Writes the messages of a point as JSON in UTF-8 into a reused buffer. Not thread-safe.
 *
 * <p>A double is written as the shortest text that parses to the same double, a count as an
 * integer.
 */
public abstract class MessageEncoder {
  MessageEncoder() {}

  /**
   * Creates an encoder for JSON lines: the rollup message without type and version.
   *
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  public static MessageEncoder jsonLine(long asOf) {
    return new RollupEncoder(false, asOf);
  }

  /** Number of messages of a point. */
  public abstract int messages(RollupPoint point);

  /**
   * Encodes one message of a point.
   *
   * @param point a point with sorted tags and finite values
   * @param message index of the message, 0 &lt;= message &lt; {@link #messages}
   * @return the message, valid until the next call
   * @throws IllegalArgumentException when a value is not finite, or an aggregate message would have
   *     to delete a rollup or to hold a histogram
   */
  public final ByteArrayOutputStream encode(RollupPoint point, int message) {
    if (!point.rollup().isFinite()) {
      throw new IllegalArgumentException("value is not a finite number: " + point);
    }
    if (point.rollup().isDeletion() && !canDelete()) {
      throw new IllegalArgumentException("this format cannot delete a rollup: " + point);
    }
    if (point.rollup().codec() != null && !canDelete()) {
      throw new IllegalArgumentException("this format cannot hold a histogram: " + point);
    }
    return write(point, message);
  }

  /**
   * Sets when the raw data of the next points were read, milliseconds since the epoch. Without
   * effect for aggregates, which do not say it.
   */
  public abstract void asOf(long millis);

  /** Whether the format has a message that deletes a rollup. */
  abstract boolean canDelete();

  /** Writes a message into a reused buffer. */
  abstract ByteArrayOutputStream write(RollupPoint point, int message);
}
