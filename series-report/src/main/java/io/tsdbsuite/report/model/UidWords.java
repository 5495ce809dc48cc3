package io.tsdbsuite.report.model;

import io.tsdbsuite.format.uid.UidKind;

/** Names of the kinds of UIDs for messages. */
public final class UidWords {
  private UidWords() {}

  /** Returns the name of a kind, for example {@code tag key}. */
  public static String of(UidKind kind) {
    return switch (kind) {
      case METRIC -> "metric";
      case TAGK -> "tag key";
      case TAGV -> "tag value";
    };
  }
}
