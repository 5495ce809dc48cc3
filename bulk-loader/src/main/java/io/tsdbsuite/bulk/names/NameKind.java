package io.tsdbsuite.bulk.names;

import java.util.Locale;

/** Kinds of names. */
public enum NameKind {
  /** Metrics. */
  METRIC,
  /** Tag keys. */
  TAG_KEY,
  /** Values of one tag key. */
  TAG_VALUE;

  /** Its name in messages. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
