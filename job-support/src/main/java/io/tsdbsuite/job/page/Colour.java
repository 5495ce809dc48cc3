package io.tsdbsuite.job.page;

/** Colours of plots; the page has two shades of each, for light and dark screens. */
public enum Colour {
  /** Of the first kind of values. */
  FIRST("first"),
  /** Of the second. */
  SECOND("second"),
  /** Of the third. */
  THIRD("third"),
  /** Of values in the background. */
  PALE("pale"),
  /** Of what is wrong. */
  BAD("bad");

  private final String key;

  Colour(String key) {
    this.key = key;
  }

  /** Class of elements that are filled with it. */
  String fill() {
    return "fill-" + key;
  }
}
