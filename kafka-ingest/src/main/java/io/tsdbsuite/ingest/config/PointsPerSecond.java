package io.tsdbsuite.ingest.config;

/** Parses rates. */
public final class PointsPerSecond {
  /** The rule of {@link #parse}, for messages. */
  public static final String RULE =
      "must be points per second, 0 (which stops the group) or from 1 to 1000000000";

  private static final double MAX = 1e9;

  private PointsPerSecond() {}

  /**
   * Parses a rate.
   *
   * @return 0, or 1 to 1e9 points per second
   * @throws IllegalArgumentException with {@link #RULE} when the text breaks it
   */
  public static double parse(String text) {
    double rate;
    try {
      rate = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(RULE, e);
    }
    if (rate == 0 || (rate >= 1 && rate <= MAX)) {
      return rate;
    }
    throw new IllegalArgumentException(RULE);
  }
}
