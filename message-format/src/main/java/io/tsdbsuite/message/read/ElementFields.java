package io.tsdbsuite.message.read;

import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import io.tsdbsuite.message.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object while it is parsed. An absent field is null or {@link #ABSENT}.
 *
 * <p>Fields are collected first and checked afterwards, because the type may come last.
 */
final class ElementFields {
  static final int ABSENT = Integer.MIN_VALUE;

  private static final String TYPES = "Metric, Aggregate, Rollup, RollupRequest or Histogram";

  /** Maximum of the characters of a metric: more are no row key of HBase. */
  static final int MAX_NAMES = Short.MAX_VALUE;

  /** Bytes of the lengths of a tag's key and value in the state of stream-rollup. */
  static final int LENGTHS = 4;

  /** Maximum of the characters of all tags and their lengths: with a metric of MAX_NAMES 64 KiB. */
  static final int MAX_TAGS = MAX_NAMES - 1;

  /** Maximum of aggregators of a rollup and of intervals of a request; each is compared to all. */
  static final int MAX_NAMED = 64;

  /** Maximum of the characters of a value: a double written without exponent has up to 1,077. */
  private static final int MAX_VALUE = 1100;

  /** Maximum of the bytes of a rollup's histogram, that of rollup-job; in Base64 four for three. */
  private static final int MAX_HISTOGRAM = 1 << 19;

  /** Maximum of a histogram's buckets: a TSD stores their number as 16 bits with a sign. */
  private static final int MAX_BUCKETS = Short.MAX_VALUE;

  /** The values that each rollup of version 2 and 3 has. */
  static final List<String> FOUR = Arrays.asList("sum", "min", "max", "count");

  private static final List<String> OF_METRIC = fields(FieldNames.VALUE);

  private static final List<String> OF_AGGREGATE =
      fields(
          FieldNames.VALUE,
          FieldNames.INTERVAL,
          FieldNames.AGGREGATOR,
          FieldNames.GROUP_BY_AGGREGATOR);

  private static final List<String> OF_ROLLUP =
      fields(FieldNames.VERSION, FieldNames.INTERVAL, FieldNames.VALUES, FieldNames.AS_OF);

  private static final List<String> OF_HISTOGRAM =
      fields(
          FieldNames.VALUE,
          FieldNames.CODEC_ID,
          FieldNames.BUCKETS,
          FieldNames.UNDERFLOW,
          FieldNames.OVERFLOW);

  private static final List<String> OF_ROLLUP_REQUEST =
      fields(FieldNames.VERSION, FieldNames.INTERVALS, FieldNames.REASON);

  private static final int HOUR = 3600;

  /** Row keys hold seconds on 32 bits. */
  static final long MAX_SECONDS = 0xFFFF_FFFFL;

  // Timestamps in milliseconds have 12 or 13 digits, in seconds fewer, in microseconds more.
  private static final long MIN_AS_OF = 100_000_000_000L;
  private static final long MAX_AS_OF = 9_999_999_999_999L;

  int from;
  int to;
  int index;

  /** Rollups that are valid but for what version 2 or 3 demands of their values. */
  List<RollupElement> rollups = Collections.emptyList();

  /** The fields of version 3 alone; null if there is none. */
  @Nullable RollupArrays arrays;

  @Nullable String type;
  int version = ABSENT;
  @Nullable String metric;
  boolean hasTimestamp;
  long timestamp;
  @Nullable Map<String, String> tags;
  @Nullable String value;
  @Nullable String interval;
  @Nullable String aggregator;
  @Nullable String groupByAggregator;
  @Nullable Origin origin;
  List<String> aggregators = Collections.emptyList();
  List<String> values = Collections.emptyList();
  boolean hasValues;
  boolean hasAsOf;
  long asOf;

  /** The error in asOf, thrown if the element is a rollup. */
  @Nullable BadMessageException asOfProblem;

  List<String> intervals = Collections.emptyList();
  @Nullable String reason;

  /** The error in intervals or reason, thrown if the element is a request. */
  @Nullable BadMessageException requestProblem;

  private boolean hasHistogram;

  /** The codec of a rollup's histogram; null if it has none. */
  @Nullable String codec;

  /** Its bytes; empty if they were not found. */
  byte[] histogram = {};

  /** The error in a rollup's histogram, thrown if the element is a rollup of version 2. */
  @Nullable BadMessageException histogramProblem;

  int id = ABSENT;
  Map<String, Long> buckets = Collections.emptyMap();
  long underflow;
  long overflow;

  /** The fields of a type: those that all types have, and its own. */
  private static List<String> fields(String... own) {
    List<String> fields = new ArrayList<>(Arrays.asList(own));
    fields.add(FieldNames.TYPE);
    fields.add(FieldNames.METRIC);
    fields.add(FieldNames.TIMESTAMP);
    fields.add(FieldNames.TAGS);
    return fields;
  }

  /**
   * Whether a field is one of the type. Another one is an unknown field with any value. All fields
   * are of a type that is not known.
   */
  boolean isOfType(String field) {
    if (type == null) {
      return true;
    }
    switch (type) {
      case MessageTypes.METRIC:
        return OF_METRIC.contains(field);
      case MessageTypes.AGGREGATE:
        return OF_AGGREGATE.contains(field);
      case MessageTypes.ROLLUP:
        return OF_ROLLUP.contains(field);
      case MessageTypes.HISTOGRAM:
        return OF_HISTOGRAM.contains(field);
      case MessageTypes.ROLLUP_REQUEST:
        return OF_ROLLUP_REQUEST.contains(field);
      default:
        return true;
    }
  }

  void value(String aggregatorName, String text) throws BadMessageException {
    if (aggregators.isEmpty()) {
      aggregators = new ArrayList<>(4);
      values = new ArrayList<>(4);
    }
    if (aggregators.size() == MAX_NAMED) {
      throw new BadMessageException(
          Reason.BAD_FIELD, "values must have at most " + MAX_NAMED + " names, found more");
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
    if (type == null) {
      throw missing(Reason.UNKNOWN_TYPE, "type", "be " + TYPES);
    }
    switch (type) {
      case MessageTypes.METRIC:
        return new MetricElement(this);
      case MessageTypes.AGGREGATE:
        return new AggregateElement(this);
      case MessageTypes.ROLLUP:
        if (version == MessageTypes.ROLLUP_VERSION_ARRAYS) {
          return arrays().element(this);
        }
        if (version != MessageTypes.ROLLUP_VERSION_FURTHER) {
          checkVersion(MessageTypes.ROLLUP_VERSION, ", 2 or 3");
        }
        RollupElement rollup = new RollupElement(this);
        if (version == MessageTypes.ROLLUP_VERSION_FURTHER) {
          rollups = Collections.singletonList(rollup);
          checkFurther();
        }
        return rollup;
      case MessageTypes.HISTOGRAM:
        return new HistogramElement(this);
      case MessageTypes.ROLLUP_REQUEST:
        checkVersion(MessageTypes.ROLLUP_REQUEST_VERSION, "");
        return new RollupRequestElement(this);
      default:
        throw new BadMessageException(
            Reason.UNKNOWN_TYPE, "type must be " + TYPES + ", found " + type);
    }
  }

  private void checkVersion(int supported, String others) throws BadMessageException {
    if (version != supported) {
      throw new BadMessageException(
          Reason.UNSUPPORTED_VERSION,
          String.format(
              "v must be %s%s, found %s",
              supported, others, version == ABSENT ? "nothing" : version));
    }
  }

  String metric() throws BadMessageException {
    String name = required(metric, Reason.BAD_FIELD, "metric", "be a name");
    if (name.length() > MAX_NAMES) {
      throw namesTooLong();
    }
    return name;
  }

  static BadMessageException namesTooLong() {
    return new BadMessageException(
        Reason.BAD_FIELD,
        "the metric must have at most "
            + MAX_NAMES
            + " characters, the tags "
            + MAX_TAGS
            + " with "
            + LENGTHS
            + " more for each, found more");
  }

  Map<String, String> tags() throws BadMessageException {
    if (tags == null || tags.isEmpty()) {
      throw missing(Reason.BAD_FIELD, "tags", "have at least one tag");
    }
    return tags;
  }

  long timestamp() throws BadMessageException {
    if (!hasTimestamp) {
      throw missing(Reason.BAD_TIMESTAMP, "timestamp", "be seconds or milliseconds");
    }
    if (timestamp <= 0) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP, "timestamp must be above 0, found " + timestamp);
    }
    if (timestamp > MAX_SECONDS && timestamp / 1000 > MAX_SECONDS) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP,
          String.format(
              "timestamp must be at most %s seconds, or milliseconds of them, found %s",
              MAX_SECONDS, timestamp));
    }
    return timestamp;
  }

  /** Checks that a histogram of so many buckets may have another one, of these bounds. */
  static void checkBucket(int size, String bounds) throws BadMessageException {
    if (size == MAX_BUCKETS) {
      throw new BadMessageException(
          Reason.BAD_FIELD, "buckets must have at most " + MAX_BUCKETS + " names, found more");
    }
    if (bounds.length() > MAX_VALUE) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          String.format(
              "the name of a bucket must have at most %s characters, found %s",
              MAX_VALUE, bounds.length()));
    }
  }

  /** The value of a point. */
  String value() throws BadMessageException {
    String text = required(value, Reason.BAD_VALUE, "value", "be a number");
    if (text.length() > MAX_VALUE) {
      throw new BadMessageException(
          Reason.BAD_VALUE,
          "value must have at most " + MAX_VALUE + " characters, found " + text.length());
    }
    return text;
  }

  /** The interval of a rollup. */
  String interval() throws BadMessageException {
    return required(interval, Reason.BAD_FIELD, "interval", "name a rollup interval");
  }

  /** The fields of version 3 alone. */
  RollupArrays arrays() {
    RollupArrays all = arrays;
    if (all == null) {
      all = new RollupArrays();
      arrays = all;
    }
    return all;
  }

  /** Checks the fields of a rollup, except its interval and what version 2 and 3 demand. */
  void checkRollup() throws BadMessageException {
    if (version == MessageTypes.ROLLUP_VERSION_ARRAYS) {
      // A dead letter has all rollups of the object, also those that were stored: without the time
      // of reading they would hide newer ones when it is sent again.
      if (!hasAsOf) {
        throw missing(Reason.BAD_FIELD, "asOf", "be milliseconds since the epoch in v 3");
      }
    } else if (!hasValues) {
      throw missing(Reason.BAD_FIELD, "values", "be an object of aggregators");
    } else if (arrays != null) {
      arrays.requireNone();
    }
    if (asOfProblem != null) {
      throw asOfProblem;
    }
    if (hasAsOf && (asOf < MIN_AS_OF || asOf > MAX_AS_OF)) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          String.format(
              "asOf must be milliseconds since the epoch, %s to %s, found %s",
              MIN_AS_OF, MAX_AS_OF, asOf));
    }
  }

  /** Whether there is a histogram, valid or not. */
  boolean hasHistogram() {
    return hasHistogram;
  }

  /** Begins the histogram of a rollup. */
  void beginHistogram() throws BadMessageException {
    if (hasHistogram) {
      throw twice(FieldNames.HISTOGRAM);
    }
    hasHistogram = true;
  }

  /** Checks the number of characters of a text in a rollup's histogram, before it is read. */
  static void checkHistogramText(String name, int length) throws BadMessageException {
    int max = name.equals(FieldNames.CODEC) ? MAX_VALUE : (MAX_HISTOGRAM + 2) / 3 * 4;
    if (length > max) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          String.format(
              "histogram.%s must have at most %s characters, found %s", name, max, length));
    }
  }

  /** Takes codec or value of a rollup's histogram. */
  void histogram(String name, String text) throws BadMessageException {
    if (name.equals(FieldNames.CODEC)) {
      if (codec != null) {
        throw twice("histogram.codec");
      }
      codec = required(text, Reason.BAD_FIELD, "histogram.codec", "be the class of a codec");
      return;
    }
    if (histogram.length > 0) {
      throw twice("histogram.value");
    }
    required(text, Reason.BAD_VALUE, "histogram.value", "be Base64 of at least one byte");
    try {
      histogram = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      // Checked next.
    }
    // The decoder also takes texts that no encoder writes: without padding, with other last bits.
    if (!Base64.getEncoder().encodeToString(histogram).equals(text)) {
      throw new BadMessageException(
          Reason.BAD_VALUE,
          "histogram.value must be Base64 with padding, found "
              + text.substring(0, Math.min(text.length(), 40)));
    }
    if (histogram.length > MAX_HISTOGRAM) {
      throw new BadMessageException(
          Reason.BAD_VALUE,
          String.format(
              "histogram.value must have at most %s bytes, found %s",
              MAX_HISTOGRAM, histogram.length));
    }
  }

  static BadMessageException twice(String field) {
    return new BadMessageException(Reason.BAD_FIELD, field + " must occur once, found it twice");
  }

  /** Checks what a rollup of version 2 has beyond version 1. */
  private void checkFurther() throws BadMessageException {
    if (histogramProblem != null) {
      throw histogramProblem;
    }
    if (hasHistogram && codec == null) {
      throw missing(Reason.BAD_FIELD, "histogram.codec", "be the class of a codec");
    }
    if (hasHistogram && histogram.length == 0) {
      throw missing(Reason.BAD_VALUE, "histogram.value", "be Base64 of at least one byte");
    }
    boolean hasFour = aggregators.containsAll(FOUR);
    if (!hasHistogram && (!hasFour || aggregators.size() == FOUR.size())) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          String.format(
              "values of v 2 must have sum, min, max, count and one or more of %s, found %s",
              MessageTypes.FURTHER_AGGREGATORS, aggregators));
    }
    if (hasHistogram && !hasFour && !aggregators.isEmpty()) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          "values of v 2 beside a histogram must be {} or have sum, min, max, count, found "
              + aggregators);
    }
    List<String> unknown = new ArrayList<>(aggregators);
    unknown.removeAll(FOUR);
    unknown.removeAll(MessageTypes.FURTHER_AGGREGATORS);
    if (!unknown.isEmpty()) {
      throw new BadMessageException(
          Reason.UNKNOWN_AGGREGATOR,
          String.format(
              "values of v 2 must be of sum, min, max, count and %s, found %s",
              MessageTypes.FURTHER_AGGREGATORS, unknown));
    }
  }

  /** The intervals of a request: at least one, each once. */
  List<String> intervals() throws BadMessageException {
    if (requestProblem != null) {
      throw requestProblem;
    }
    if (intervals.isEmpty()) {
      throw missing(Reason.BAD_FIELD, "intervals", "name at least one rollup interval");
    }
    for (int i = 0; i < intervals.size(); i++) {
      String interval = intervals.get(i);
      if (interval.isEmpty()) {
        throw new BadMessageException(
            Reason.BAD_FIELD, "intervals must name rollup intervals, found an empty name");
      }
      if (intervals.indexOf(interval) < i) {
        throw new BadMessageException(
            Reason.BAD_FIELD, "intervals must name " + interval + " once, found it twice");
      }
    }
    return Collections.unmodifiableList(intervals);
  }

  /** The reason of a request. */
  String reason() throws BadMessageException {
    return required(reason, Reason.BAD_FIELD, "reason", "be a text");
  }

  /** Checks that the timestamp of a request is the start of an hour, in seconds. */
  void checkHour() throws BadMessageException {
    if (timestamp > MAX_SECONDS || timestamp % HOUR != 0) {
      throw new BadMessageException(
          Reason.BAD_TIMESTAMP,
          String.format(
              "timestamp must be the start of an hour in seconds, a multiple of 3600 up to %s,"
                  + " found %s",
              MAX_SECONDS, timestamp));
    }
  }

  /** Checks interval and aggregators; an empty string counts as absent, as in /api/rollup. */
  void checkAggregate() throws BadMessageException {
    interval = isEmpty(interval) ? null : interval;
    aggregator = isEmpty(aggregator) ? null : aggregator;
    groupByAggregator = isEmpty(groupByAggregator) ? null : groupByAggregator;
    if (interval == null && groupByAggregator == null) {
      throw missing(
          Reason.BAD_FIELD, "interval", "name a rollup interval without groupByAggregator");
    }
    if (interval != null && aggregator == null) {
      throw missing(Reason.BAD_FIELD, "aggregator", "name the aggregator of a rollup interval");
    }
  }

  /** Checks that there is an encoded value with its codec, or buckets. */
  void checkHistogram() throws BadMessageException {
    if (isEmpty(value)) {
      value = null;
      if (buckets.isEmpty()) {
        throw missing(Reason.BAD_FIELD, "buckets", "be set without a value");
      }
    } else if (id < 0 || id > 255) {
      throw new BadMessageException(
          Reason.BAD_FIELD,
          "id must be 0 to 255 beside a value, found " + (id == ABSENT ? "nothing" : id));
    }
  }

  private static String required(@Nullable String text, Reason reason, String field, String rule)
      throws BadMessageException {
    if (text == null || text.isEmpty()) {
      throw missing(reason, field, rule);
    }
    return text;
  }

  static BadMessageException missing(Reason reason, String field, String rule) {
    return new BadMessageException(reason, field + " must " + rule + ", found nothing");
  }

  private static boolean isEmpty(@Nullable String text) {
    return text == null || text.isEmpty();
  }
}
