package io.tsdbsuite.message.read;

import io.tsdbsuite.message.Origin;
import org.jspecify.annotations.Nullable;

/**
 * {@code "type":"Aggregate"}: one value of a rollup, a pre-aggregate, or a rolled-up pre-aggregate.
 */
public final class AggregateElement extends SeriesElement {
  private final String value;
  private final @Nullable Origin origin;
  private final @Nullable String interval;
  private final @Nullable String aggregator;
  private final @Nullable String groupByAggregator;

  AggregateElement(ElementFields fields) throws BadMessageException {
    super(fields);
    this.value = fields.value();
    fields.checkAggregate();
    this.origin = fields.origin;
    this.interval = fields.interval;
    this.aggregator = fields.aggregator;
    this.groupByAggregator = fields.groupByAggregator;
  }

  /** The number's text in the message. */
  public String value() {
    return value;
  }

  /** The rollup interval, for example {@code 1h}; null for a pre-aggregate of raw points. */
  public @Nullable String interval() {
    return interval;
  }

  /** Aggregator of the rollup, upper or lower case; null for a pre-aggregate of raw points. */
  public @Nullable String aggregator() {
    return aggregator;
  }

  /** Aggregator of the pre-aggregate, upper or lower case; null if it is not a pre-aggregate. */
  public @Nullable String groupByAggregator() {
    return groupByAggregator;
  }

  /** The way in which the TSD that requeued the point received it; null for other points. */
  public @Nullable Origin origin() {
    return origin;
  }

  @Override
  public int points() {
    return 1;
  }
}
