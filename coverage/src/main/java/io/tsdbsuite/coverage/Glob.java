package io.tsdbsuite.coverage;

import java.io.Serializable;

/**
 * A name with wildcards: {@code *} stands for any characters, {@code ?} for one; all others are
 * literals. A character is a code point. Immutable.
 */
public final class Glob implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int STAR = -1;
  private static final int ONE = -2;

  // Code points; a wildcard is a negative number.
  private final int[] pattern;

  /** Parses a name with or without wildcards. */
  public Glob(String text) {
    pattern = text.codePoints().toArray();
    for (int i = 0; i < pattern.length; i++) {
      if (pattern[i] == '*') {
        pattern[i] = STAR;
      } else if (pattern[i] == '?') {
        pattern[i] = ONE;
      }
    }
  }

  /** Whether a text contains a wildcard. */
  public static boolean isGlob(String text) {
    return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
  }

  /** Whether the whole name matches. */
  public boolean matches(String name) {
    return matches(name.codePoints().toArray());
  }

  /**
   * Matches with each star as few characters as possible. On a mismatch only the last star takes
   * one more: if a longer match of an earlier star leads to success, this one does, too. The work
   * is at most the product of both lengths; that of a regular expression with several stars has no
   * such bound.
   *
   * @param name code points
   */
  boolean matches(int[] name) {
    int p = 0;
    int n = 0;
    int star = -1;
    int afterStar = 0;
    while (n < name.length) {
      if (p < pattern.length && pattern[p] == STAR) {
        star = p++;
        afterStar = n;
      } else if (p < pattern.length && (pattern[p] == ONE || pattern[p] == name[n])) {
        p++;
        n++;
      } else if (star >= 0) {
        p = star + 1;
        n = ++afterStar;
      } else {
        return false;
      }
    }
    while (p < pattern.length && pattern[p] == STAR) {
      p++;
    }
    return p == pattern.length;
  }

  /** Whether both are equal up to the first wildcard of one or the end. */
  boolean beginsLike(Glob other) {
    int[] a = pattern;
    int[] b = other.pattern;
    for (int i = 0; i < Math.min(a.length, b.length) && a[i] >= 0 && b[i] >= 0; i++) {
      if (a[i] != b[i]) {
        return false;
      }
    }
    return true;
  }
}
