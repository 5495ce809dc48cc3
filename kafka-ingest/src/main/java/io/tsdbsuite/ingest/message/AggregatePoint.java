package io.tsdbsuite.ingest.message;

/** {@code "type":"Aggregate"}: one value of a rollup, of a pre-aggregate, or of both. */
public final class AggregatePoint extends Element {
  private final String value;
  private final Origin origin;
  private final String interval;
  private final String aggregator;
  private final String groupByAggregator;

  AggregatePoint(Fields fields) {
    super(fields);
    this.value = fields.value;
    this.origin = fields.origin;
    this.interval = fields.interval;
    this.aggregator = fields.aggregator;
    this.groupByAggregator = fields.groupByAggregator;
  }

  /** The number as the message writes it. */
  public String value() {
    return value;
  }

  /** As the rollup configuration writes it; null for a pre-aggregate of raw points. */
  public String interval() {
    return interval;
  }

  /** Of the rollup, in any case; null for a pre-aggregate of raw points. */
  public String aggregator() {
    return aggregator;
  }

  /** Of the pre-aggregate, in any case; null if it is none. */
  public String groupByAggregator() {
    return groupByAggregator;
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
