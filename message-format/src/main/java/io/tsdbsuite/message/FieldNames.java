package io.tsdbsuite.message;

/** The names of the messages' fields. */
public final class FieldNames {
  /** One of {@link MessageTypes}. */
  public static final String TYPE = "type";

  /** Version of a message whose type has versions: {@link MessageTypes}. */
  public static final String VERSION = "v";

  /** Name of the metric. */
  public static final String METRIC = "metric";

  /** Object of tag keys and values. */
  public static final String TAGS = "tags";

  /** Seconds or milliseconds since the epoch, UTC; of a rollup, the start of its interval. */
  public static final String TIMESTAMP = "timestamp";

  /** Width of a rollup's interval as rollup_config.json writes it, for example {@code 1h}. */
  public static final String INTERVAL = "interval";

  /** The number of a metric or an aggregate; the base64 text of an encoded histogram. */
  public static final String VALUE = "value";

  /** Aggregator of an aggregate's interval. */
  public static final String AGGREGATOR = "aggregator";

  /** Aggregator of a pre-aggregate's series. */
  public static final String GROUP_BY_AGGREGATOR = "groupByAggregator";

  /** Object of aggregators and numbers of a rollup; empty deletes the rollup. */
  public static final String VALUES = "values";

  /** Array of the rollups of version 3 that have values: intervals after {@link #TIMESTAMP}. */
  public static final String AT = "at";

  /** Array of the rollups of version 3 that are deleted: intervals after {@link #TIMESTAMP}. */
  public static final String GONE = "gone";

  /** Time at which the raw points of a rollup were read, milliseconds since the epoch. */
  public static final String AS_OF = "asOf";

  /** Array of the intervals to repair, as rollup_config.json writes them. */
  public static final String INTERVALS = "intervals";

  /** Why a rollup is requested; any text that is not empty. */
  public static final String REASON = "reason";

  /** Every bucket that ends at or before it was emitted or requested, seconds since the epoch. */
  public static final String COMPLETE_TO = "completeTo";

  /** Code of an {@link Origin}. */
  public static final String TSD_ORIGIN = "tsdOrigin";

  /** Object of {@link #CODEC} and {@link #VALUE} of a rollup of version 2. */
  public static final String HISTOGRAM = "histogram";

  /** Class of the codec of a rollup's histogram, as in tsd.core.histograms.config. */
  public static final String CODEC = "codec";

  /** Codec of an encoded histogram, 0 to 255. */
  public static final String CODEC_ID = "id";

  /** Object of {@code lower,upper} and counts of a simple histogram. */
  public static final String BUCKETS = "buckets";

  /** Points below the first bucket. */
  public static final String UNDERFLOW = "underflow";

  /** Points above the last bucket. */
  public static final String OVERFLOW = "overflow";

  private FieldNames() {}
}
