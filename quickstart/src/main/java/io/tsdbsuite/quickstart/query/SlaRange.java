package io.tsdbsuite.quickstart.query;

/** A range of time that dashboards show, up to the last whole hour. */
public enum SlaRange {
  /** 24 hours: of the queries of a large installation 86 % reach back no further. */
  DAY("24 h", 24),
  /** 7 days: 98 %. */
  WEEK("7 d", 7 * 24);

  private final String text;
  private final int hours;

  SlaRange(String text, int hours) {
    this.text = text;
    this.hours = hours;
  }

  /** The name in tables. */
  public String text() {
    return text;
  }

  /** Its length, hours. */
  public int hours() {
    return hours;
  }
}
