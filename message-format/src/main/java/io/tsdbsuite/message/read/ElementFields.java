package io.tsdbsuite.message.read;

import io.tsdbsuite.message.MessageTypes;
import io.tsdbsuite.message.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The fields of one object while it is parsed. An absent field is null or {@link #ABSENT}.
 *
 * <p>Fields are collected first and checked afterwards, because the type may come last.
 */
final class ElementFields {
  static final int ABSENT = Integer.MIN_VALUE;

  // Timestamps in milliseconds have 12 or 13 digits, in seconds fewer, in microseconds more.
  private static final long MIN_AS_OF = 100_000_000_000L;
  private static final long MAX_AS_OF = 9_999_999_999_999L;

  int from;
  int to;
  String type;
  int version = ABSENT;
  String metric;
  boolean hasTimestamp;
  long timestamp;
  Map<String, String> tags;
  String value;
  String interval;
  String aggregator;
  String groupByAggregator;
  Origin origin;
  List<String> aggregators;
  List<String> values;
  boolean hasValues;
  boolean hasAsOf;
  long asOf;

  /** The error in asOf, thrown if the element is a rollup. */
  BadMessageException asOfProblem;

  int id = ABSENT;
  Map<String, Long> buckets;
  long underflow;
  long overflow;

  void value(String aggregatorName, String text) throws BadMessageException {
    if (aggregators == null) {
      aggregators = new ArrayList<>(4);
      values = new ArrayList<>(4);
    }
    for (String other : aggregators) {
      // Aggregators are case-insensitive: SUM would be a second value for the cell of sum.
      if (other.equalsIgnoreCase(aggregatorName)) {
        throw new BadMessageException(
            Reason.BAD_FIELD, "values." + aggregatorName + " must occur once, found it twice");
      }
    }
    aggregators.add(aggregatorName);
    values.add(text);
  }

  /**
   * Checks the fields and creates the element.
   *
   * @throws BadMessageException with the first rule that is broken
   */
  Element element() throws BadMessageException {
    require(type != null, Reason.UNKNOWN_TYPE, "type", "be Metric, Aggregate, Rollup or Histogram");
    switch (type) {
      case MessageTypes.METRIC:
        common();
        requireValue();
        return new MetricElement(this);
      case MessageTypes.AGGREGATE:
        common();
        requireValue();
        aggregate();
        return new AggregateElement(this);
      case MessageTypes.ROLLUP:
        if (version != MessageTypes.ROLLUP_VERSION) {
          throw new BadMessageException(
              Reason.UNSUPPORTED_VERSION,
              "v must be "
                  + MessageTypes.ROLLUP_VERSION
                  + ", found "
                  + (version == ABSENT ? "nothing" : version));
        }
        common();
        require(!isEmpty(interval), "interval", "name a rollup interval");
        require(hasValues, "values", "be an object of aggregators");
        asOf();
        return new RollupElement(this);
      case MessageTypes.HISTOGRAM:
        common();
        histogram();
        return new HistogramElement(this);
      default:
        throw new BadMessageException(
            Reason.UNKNOWN_TYPE,
            "type must be Metric, Aggregate, Rollup or Histogram, found " + type);
    }
  }

  private void common() throws BadMessageException {
    require(!isEmpty(metric), "metric", "be a name");
    require(tags != null && !tags.isEmpty(), "tags", "have at least one tag");
    require(hasTimestamp, Reason.BAD_TIMESTAMP, "timestamp", "be seconds or milliseconds");
    if (timestamp <= 0) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP, "timestamp must be above 0, found " + timestamp);
    }
  }

  private void asOf() throws BadMessageException {
    if (asOfProblem != null) {
      throw asOfProblem;
    }
    if (hasAsOf && (asOf < MIN_AS_OF || asOf > MAX_AS_OF)) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          "asOf must be milliseconds since the epoch, "
              + MIN_AS_OF
              + " to "
              + MAX_AS_OF
              + ", found "
              + asOf);
    }
  }

  private void requireValue() throws BadMessageException {
    require(!isEmpty(value), Reason.BAD_VALUE, "value", "be a number");
  }

  private void aggregate() throws BadMessageException {
    // An empty string counts as absent, as in /api/rollup.
    interval = isEmpty(interval) ? null : interval;
    aggregator = isEmpty(aggregator) ? null : aggregator;
    groupByAggregator = isEmpty(groupByAggregator) ? null : groupByAggregator;
    require(
        interval != null || groupByAggregator != null,
        "interval",
        "name a rollup interval without groupByAggregator");
    require(
        aggregator != null || interval == null,
        "aggregator",
        "name the aggregator of a rollup interval");
  }

  private void histogram() throws BadMessageException {
    if (isEmpty(value)) {
      value = null;
      require(buckets != null && !buckets.isEmpty(), "buckets", "be set without a value");
    } else if (id < 0 || id > 255) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          "id must be 0 to 255 beside a value, found " + (id == ABSENT ? "nothing" : id));
    }
  }

  private static void require(boolean holds, String field, String rule) throws BadMessageException {
    require(holds, Reason.BAD_FIELD, field, rule);
  }

  private static void require(boolean holds, Reason reason, String field, String rule)
      throws BadMessageException {
    if (!holds) {
      throw new BadMessageException(reason, field + " must " + rule + ", found nothing");
    }
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isEmpty();
  }
}
