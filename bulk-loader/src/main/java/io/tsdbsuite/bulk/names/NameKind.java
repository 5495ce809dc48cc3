package io.tsdbsuite.bulk.names;

/** Kinds of names. */
public enum NameKind {
  /** Metrics. */
  METRIC("metric"),
  /** Tag keys. */
  TAG_KEY("tag key"),
  /** Values of one tag key. */
  TAG_VALUE("tag value");

  private final String text;

  NameKind(String text) {
    this.text = text;
  }

  /** Its name in messages. */
  public String text() {
    return text;
  }
}
