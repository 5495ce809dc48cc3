package io.tsdbsuite.job.page;

import java.util.Locale;

/** Colours of plots; the page has two shades of each, for light and dark screens. */
public enum Colour {
  /** Of the first kind of values. */
  FIRST,
  /** Of the second. */
  SECOND,
  /** Of the third. */
  THIRD,
  /** Of values in the background. */
  PALE,
  /** Of what is wrong. */
  BAD;

  /** Class of elements that are filled with it. */
  String fill() {
    return "fill-" + key();
  }

  /** Its name in the styles of the page. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
