package io.tsdbsuite.meta.report.model;

/** The three kinds of UIDs. */
public enum UidKind {
  METRIC("metrics", "metric"),
  TAGK("tagk", "tag key"),
  TAGV("tagv", "tag value");

  private final String qualifier;
  private final String word;

  UidKind(String qualifier, String word) {
    this.qualifier = qualifier;
    this.word = word;
  }

  /** The qualifier in both families of tsdb-uid. */
  public String qualifier() {
    return qualifier;
  }

  /** The kind in plain words, for messages. */
  public String word() {
    return word;
  }
}
