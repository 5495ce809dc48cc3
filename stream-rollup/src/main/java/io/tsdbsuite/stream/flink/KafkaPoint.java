package io.tsdbsuite.stream.flink;

import io.tsdbsuite.stream.series.StreamPoint;

/** One element of a message of the input, and where the message was. Mutable and reused. */
public final class KafkaPoint {
  /** What an element is. */
  public enum Kind {
    /** A point, or a histogram of a series whose rollups have one. */
    POINT,
    /** It breaks a rule of the message format, or a name cannot be stored. */
    BAD,
    /** Its value is NaN or infinite. */
    NOT_FINITE,
    /** It is no {@code Metric}, nor such a histogram. */
    OTHER
  }

  /** What the element is. */
  public Kind kind = Kind.BAD;

  /** Topic of the message. */
  public String topic = "";

  /** Partition of the message. */
  public int partition;

  /** Offset of the message. */
  public long offset;

  /** Time of the message by {@link RecordTimes}, milliseconds since the epoch, or none. */
  public long time;

  /** When the message was read, milliseconds since the epoch. */
  public long readMillis;

  /** Whether this is the first element of a message with a wrong time. */
  public boolean wrongTime;

  /** The point, valid for {@link Kind#POINT}. */
  public StreamPoint point = new StreamPoint();

  /** Creates an empty element. */
  public KafkaPoint() {}
}
