package io.tsdbsuite.ingest.message;

/** {@code "type":"Metric"}: one raw point. */
public final class MetricPoint extends Element {
  private final String value;

  MetricPoint(Fields fields) {
    super(fields);
    this.value = fields.value;
  }

  /** The number as the message writes it. */
  public String value() {
    return value;
  }

  @Override
  public int points() {
    return 1;
  }
}
