package io.tsdbsuite.format.rollup;

import java.io.Serializable;

/**
 * What rollups of one interval may have: the four values sum, min, max and count; the value of one
 * further aggregator; histograms; copies in packed rows. Its text is the interval, for example
 * {@code 1h}, and of all but the four values a dot and a name: {@code 1h.p99}, {@code 1d.first},
 * {@code 1h.histogram}, {@code 1h.packed}. Immutable.
 */
public final class Level implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The name of the level of histograms. */
  public static final String HISTOGRAM = "histogram";

  /** The name of the level of packed rows. */
  public static final String PACKED = "packed";

  private final RollupInterval interval;
  private final String name;
  private final String table;

  Level(RollupInterval interval, String name, String table) {
    this.interval = interval;
    this.name = name;
    this.table = table;
  }

  /**
   * The text of the level of an interval and a further aggregator, {@link #HISTOGRAM} or {@link
   * #PACKED}, or an empty name of the four values.
   */
  public static String text(String interval, String name) {
    return name.isEmpty() ? interval : interval + '.' + name;
  }

  /** Whether a text is that of a level of histograms. */
  public static boolean isHistogram(String level) {
    return level.endsWith('.' + HISTOGRAM);
  }

  /**
   * Whether a text is that of a level of packed rows, {@code 1h.packed}: what it says is of copies
   * of the interval's rows, and nothing of raw data.
   */
  public static boolean isPacked(String level) {
    return level.endsWith('.' + PACKED);
  }

  /** The interval of the rollups. */
  public RollupInterval interval() {
    return interval;
  }

  /** The aggregator, {@code histogram} or {@code packed}; empty of the four values. */
  public String name() {
    return name;
  }

  /** Whether it is a level of histograms. */
  public boolean isHistogram() {
    return name.equals(HISTOGRAM);
  }

  /** Whether it is a level of packed rows, of the four values and of further aggregators. */
  public boolean isPacked() {
    return name.equals(PACKED);
  }

  /** The table that stores it, as rollup_config.json writes it. */
  public String table() {
    return table;
  }

  /** The text, as {@link RollupConfig#level} takes it. */
  public String text() {
    return text(interval.interval(), name);
  }

  @Override
  public String toString() {
    return text();
  }
}
