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

  SeriesElement(
      int from, int to, int index, String metric, Map<String, String> tags, long timestamp) {
    super(from, to, index);
    this.metric = metric;
    this.tags = tags;
    this.timestamp = timestamp;
  }

  /** A copy with other tags, not copied, and another time. */
  SeriesElement(SeriesElement other, Map<String, String> tags, long timestamp) {
    super(other);
    this.metric = other.metric;
    this.tags = tags;
    this.timestamp = timestamp;
  }

  /** Name of the metric. */
  public final String metric() {
    return metric;
  }

  /**
   * Tag keys and values, mutable, at least one; of rollups of one object one map: {@link
   * RollupElement#withOwnTags}.
   */
  public final Map<String, String> tags() {
    return tags;
  }

  /** Seconds or milliseconds since the epoch, UTC, as in the message. */
  public final long timestamp() {
    return timestamp;
  }
}
