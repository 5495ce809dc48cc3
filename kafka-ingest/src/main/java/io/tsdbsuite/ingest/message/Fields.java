package io.tsdbsuite.ingest.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The fields of one object while it is read; null or {@link #ABSENT} is what it does not have.
 *
 * <p>They are collected before they are judged, since the type may come last.
 */
final class Fields {
  static final int ABSENT = Integer.MIN_VALUE;

  // Milliseconds of this time have 12 or 13 digits: neither seconds nor microseconds do.
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

  /** What is wrong with asOf, should it be that of a rollup. */
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
      // Any case is taken, so SUM is a second value for the cell of sum.
      if (other.equalsIgnoreCase(aggregatorName)) {
        throw new BadMessageException(
            Reason.BAD_FIELD, "values." + aggregatorName + " must be there once, found it twice");
      }
    }
    aggregators.add(aggregatorName);
    values.add(text);
  }

  /**
   * The element that the fields are.
   *
   * @throws BadMessageException with the first rule that they break
   */
  Element element() throws BadMessageException {
    require(type != null, Reason.UNKNOWN_TYPE, "type", "be Metric, Aggregate, Rollup or Histogram");
    switch (type) {
      case "Metric":
        common();
        requireValue();
        return new MetricPoint(this);
      case "Aggregate":
        common();
        requireValue();
        aggregate();
        return new AggregatePoint(this);
      case "Rollup":
        if (version != 1) {
          throw new BadMessageException(
              Reason.UNSUPPORTED_VERSION,
              "v must be 1, found " + (version == ABSENT ? "nothing" : version));
        }
        common();
        require(!isEmpty(interval), "interval", "name a rollup interval");
        require(hasValues, "values", "be an object of aggregators");
        asOf();
        return new RollupPoint(this);
      case "Histogram":
        common();
        histogram();
        return new HistogramPoint(this);
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
    // What is empty counts as absent, as in /api/rollup.
    interval = isEmpty(interval) ? null : interval;
    aggregator = isEmpty(aggregator) ? null : aggregator;
    groupByAggregator = isEmpty(groupByAggregator) ? null : groupByAggregator;
    require(
        interval != null || groupByAggregator != null,
        "interval",
        "name a rollup interval where there is no groupByAggregator");
    require(
        aggregator != null || interval == null,
        "aggregator",
        "name the aggregator of a rollup interval");
  }

  private void histogram() throws BadMessageException {
    if (isEmpty(value)) {
      value = null;
      require(buckets != null && !buckets.isEmpty(), "buckets", "be there where there is no value");
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
