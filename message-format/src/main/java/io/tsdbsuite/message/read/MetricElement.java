package io.tsdbsuite.message.read;

import io.tsdbsuite.message.Origin;

/** {@code "type":"Metric"}: one raw point. */
public final class MetricElement extends Element {
  private final String value;
  private final Origin origin;

  MetricElement(ElementFields fields) {
    super(fields);
    this.value = fields.value;
    this.origin = fields.origin;
  }

  /** The number's text in the message. */
  public String value() {
    return value;
  }

  /** The way in which the TSD that requeued the point received it; null for other points. */
  public Origin origin() {
    return origin;
  }

  @Override
  public int points() {
    return 1;
  }
}
