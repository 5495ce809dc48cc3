package io.tsdbsuite.rollup.verify;

import java.util.Locale;

/** The values of a rollup, in the order of a {@link VerifyRecord}. */
public enum Aggregate {
  /** Sum of the points. */
  SUM,
  /** Minimum of the points. */
  MIN,
  /** Maximum of the points. */
  MAX,
  /** Number of points. */
  COUNT;

  /** The name in rollup_config.json and in queries, for example {@code sum}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
