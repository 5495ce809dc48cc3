package io.tsdbsuite.message.read;

import java.util.Map;

/** One object of a message: values of one series. */
public abstract class Element {
  private final int from;
  private final int to;
  private final String metric;
  private final Map<String, String> tags;
  private final long timestamp;

  Element(ElementFields fields) {
    this.from = fields.from;
    this.to = fields.to;
    this.metric = fields.metric;
    this.tags = fields.tags;
    this.timestamp = fields.timestamp;
  }

  /** Name of the metric; null for a {@link BadElement}. */
  public final String metric() {
    return metric;
  }

  /** Tag keys and values, mutable; null for a {@link BadElement}. */
  public final Map<String, String> tags() {
    return tags;
  }

  /** Seconds or milliseconds since the epoch, UTC, as in the message. */
  public final long timestamp() {
    return timestamp;
  }

  /** Number of values, at least 1; rates and limits count it. */
  public abstract int points();

  /** Index of the object's first byte in the message. */
  public final int from() {
    return from;
  }

  /** Index of the byte after the object. */
  public final int to() {
    return to;
  }
}
