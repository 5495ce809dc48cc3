package io.tsdbsuite.ingest.message;

import java.util.List;

/** {@code "type":"Rollup"}, version 1: all values of one series and interval. */
public final class RollupPoint extends Element {
  private final String interval;
  private final List<String> aggregators;
  private final List<String> values;

  RollupPoint(Fields fields) {
    super(fields);
    this.interval = fields.interval;
    this.aggregators = fields.aggregators;
    this.values = fields.values;
  }

  /** As the rollup configuration writes it. */
  public String interval() {
    return interval;
  }

  /** The aggregator of value i, in the message's order, each once. */
  public String aggregator(int i) {
    return aggregators.get(i);
  }

  /** The number i as the message writes it. */
  public String value(int i) {
    return values.get(i);
  }

  @Override
  public int points() {
    return values.size();
  }
}
