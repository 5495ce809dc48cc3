package io.tsdbsuite.query.plan;

import java.util.Locale;

/** Why raw data are read: a kind for statistics, and a few words for people. Immutable. */
public final class RawReason {
  /** The kinds of reasons. */
  public enum Kind {
    /** Pieces of a plan that reads rollups, too: at edges, in holes, masked hours, recent times. */
    BESIDE_ROLLUPS,
    /** Nothing of the metric is proven. */
    NO_COVERAGE,
    /** Nothing is proven in the times of the query. */
    OUTSIDE_COVERAGE,
    /** The coverage has changed while rollups were read. */
    COVERAGE_CHANGED,
    /** Rollups would cost more. */
    CHEAPER,
    /** No downsampler. */
    NOT_DOWNSAMPLED,
    /** The downsampler is finer than each table. */
    TOO_FINE,
    /** The value of the function does not follow from the rollups that are stored. */
    FUNCTION,
    /** The buckets of a calendar depend on the first point. */
    CALENDAR,
    /** The query asks for raw data. */
    ROLLUP_RAW,
    /** Only OpenTSDB's own reader of rows answers as OpenTSDB does. */
    OWN_READER;

    /** The kind as the value of a tag, such as {@code too_fine}. */
    public String tag() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Kind kind;
  private final String text;

  /**
   * @param text a few words, for the header
   */
  public RawReason(Kind kind, String text) {
    this.kind = kind;
    this.text = text;
  }

  /** For statistics. */
  public Kind kind() {
    return kind;
  }

  /** For people. */
  @Override
  public String toString() {
    return text;
  }
}
