package io.tsdbsuite.message.read;

import java.util.Map;

/** A valid element: values of one series at one time. */
public abstract class SeriesElement extends Element {
  private final String metric;
  private final Map<String, String> tags;
  private final long timestamp;

  SeriesElement(ElementFields fields) throws BadMessageException {
    super(fields);
    this.metric = fields.metric();
    this.tags = fields.tags();
    this.timestamp = fields.timestamp();
  }

  /** A copy; it shares the tags. */
  SeriesElement(SeriesElement other) {
    super(other);
    this.metric = other.metric;
    this.tags = other.tags;
    this.timestamp = other.timestamp;
  }

  /** Name of the metric. */
  public final String metric() {
    return metric;
  }

  /** Tag keys and values, mutable, at least one. */
  public final Map<String, String> tags() {
    return tags;
  }

  /** Seconds or milliseconds since the epoch, UTC, as in the message. */
  public final long timestamp() {
    return timestamp;
  }
}
