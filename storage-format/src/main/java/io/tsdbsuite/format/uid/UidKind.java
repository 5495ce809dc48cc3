package io.tsdbsuite.format.uid;

import java.nio.charset.StandardCharsets;

/** The three name spaces of the UID table; each has its own UIDs (docs/storage.md 4). */
public enum UidKind {
  /** Metric names. */
  METRIC("metrics"),
  /** Tag keys. */
  TAGK("tagk"),
  /** Tag values. */
  TAGV("tagv");

  private final String qualifier;

  UidKind(String qualifier) {
    this.qualifier = qualifier;
  }

  /** The column qualifier of this kind in both families, for example {@code metrics}. */
  public String qualifier() {
    return qualifier;
  }

  /** {@link #qualifier()} in bytes, ISO-8859-1; a new array for each call. */
  public byte[] qualifierBytes() {
    return qualifier.getBytes(StandardCharsets.ISO_8859_1);
  }
}
