package io.tsdbsuite.rollup.verify;

import java.util.Locale;

/** The values of a rollup, in the order in which a {@link VerifyRecord} has them. */
public enum Aggregate {
  /** Sum of the points. */
  SUM,
  /** The smallest of them. */
  MIN,
  /** The largest of them. */
  MAX,
  /** How many there are. */
  COUNT;

  /** The name in rollup_config.json and in queries, for example {@code sum}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
