package io.tsdbsuite.message;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The values of the field {@link FieldNames#TYPE}. */
public final class MessageTypes {
  /** One raw point. */
  public static final String METRIC = "Metric";

  /** One value of a rollup or pre-aggregate: the JSON of /api/rollup. */
  public static final String AGGREGATE = "Aggregate";

  /** All values of one interval of a series. */
  public static final String ROLLUP = "Rollup";

  /** An encoded or a simple histogram. */
  public static final String HISTOGRAM = "Histogram";

  /** Asks for the rollups of one series and hour to be computed from the raw points. */
  public static final String ROLLUP_REQUEST = "RollupRequest";

  /** Says up to when the rollups of an interval were emitted or requested. */
  public static final String ROLLUP_WATERMARK = "RollupWatermark";

  /** Version of {@link #ROLLUP} messages with sum, min, max and count alone. */
  public static final int ROLLUP_VERSION = 1;

  /**
   * Version of {@link #ROLLUP} messages with values of further aggregators or a histogram. A reader
   * that would not compute these for a late point refuses it.
   */
  public static final int ROLLUP_VERSION_FURTHER = 2;

  /** Version of {@link #ROLLUP} messages with several rollups of one series and interval. */
  public static final int ROLLUP_VERSION_ARRAYS = 3;

  /** Maximum of the intervals of {@link #ROLLUP_VERSION_ARRAYS}: those of a row in HBase. */
  public static final int MAX_SLOTS = 3840;

  /**
   * The aggregators of {@link #ROLLUP_VERSION_FURTHER}: a reader computes them again for a late
   * point. No others may be there, since they would stay as they are beside a new sum.
   */
  public static final List<String> FURTHER_AGGREGATORS =
      Collections.unmodifiableList(
          Arrays.asList("p50", "p75", "p90", "p95", "p99", "p999", "first", "last"));

  /** Version of {@link #ROLLUP_REQUEST} messages; a reader refuses every other version. */
  public static final int ROLLUP_REQUEST_VERSION = 1;

  /** Version of {@link #ROLLUP_WATERMARK} messages. */
  public static final int ROLLUP_WATERMARK_VERSION = 1;

  private MessageTypes() {}
}
