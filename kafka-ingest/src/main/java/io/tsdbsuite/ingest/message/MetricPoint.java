package io.tsdbsuite.ingest.message;

/** {@code "type":"Metric"}: one raw point. */
public final class MetricPoint extends Element {
  private final String value;
  private final Origin origin;

  MetricPoint(Fields fields) {
    super(fields);
    this.value = fields.value;
    this.origin = fields.origin;
  }

  /** The number as the message writes it. */
  public String value() {
    return value;
  }

  /** Where a TSD had it from that sends it back; null if it is not such a point. */
  public Origin origin() {
    return origin;
  }

  @Override
  public int points() {
    return 1;
  }
}
