package io.tsdbsuite.ingest.message;

import java.util.Map;

/** One object of a message: what is to be stored of one series. */
public abstract class Element {
  private final int from;
  private final int to;
  private final String metric;
  private final Map<String, String> tags;
  private final long timestamp;

  Element(Fields fields) {
    this.from = fields.from;
    this.to = fields.to;
    this.metric = fields.metric;
    this.tags = fields.tags;
    this.timestamp = fields.timestamp;
  }

  /** Name of the metric; null in a {@link BadElement}. */
  public final String metric() {
    return metric;
  }

  /** Tag keys to values; may be changed; null in a {@link BadElement}. */
  public final Map<String, String> tags() {
    return tags;
  }

  /** Seconds or milliseconds since the epoch, UTC, as the message has it. */
  public final long timestamp() {
    return timestamp;
  }

  /** Values that it holds, at least 1: what rates and limits count. */
  public abstract int points();

  /** First byte of the object in the message. */
  public final int from() {
    return from;
  }

  /** The byte after the object. */
  public final int to() {
    return to;
  }
}
