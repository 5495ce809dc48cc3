package io.tsdbsuite.ingest.message;

import java.util.Collections;
import java.util.List;

/**
 * {@code "type":"Rollup"}, version 1: all values of one series and interval, or that there are none
 * any more.
 */
public final class RollupPoint extends Element {
  private final String interval;
  private final List<String> aggregators;
  private final List<String> values;
  private final boolean hasAsOf;
  private final long asOf;

  RollupPoint(Fields fields) {
    super(fields);
    this.interval = fields.interval;
    boolean empty = fields.values == null;
    this.aggregators = empty ? Collections.emptyList() : fields.aggregators;
    this.values = empty ? Collections.emptyList() : fields.values;
    this.hasAsOf = fields.hasAsOf;
    this.asOf = fields.asOf;
  }

  /** As the rollup configuration writes it. */
  public String interval() {
    return interval;
  }

  /** Whether the raw points are gone, so that no value of any aggregator may stay. */
  public boolean isDeletion() {
    return values.isEmpty();
  }

  /** Number of values; 0 in a deletion. */
  public int size() {
    return values.size();
  }

  /** The aggregator of value i, in the message's order, each once. */
  public String aggregator(int i) {
    return aggregators.get(i);
  }

  /** The number i as the message writes it. */
  public String value(int i) {
    return values.get(i);
  }

  /** Whether the message says when its raw points were read. */
  public boolean hasAsOf() {
    return hasAsOf;
  }

  /** When the raw points were read, milliseconds since the epoch; of use with {@link #hasAsOf}. */
  public long asOf() {
    return asOf;
  }

  @Override
  public int points() {
    return Math.max(1, values.size());
  }
}
