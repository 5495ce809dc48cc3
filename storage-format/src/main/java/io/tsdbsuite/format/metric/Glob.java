package io.tsdbsuite.format.metric;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A name with wildcards: {@code *} stands for any characters, {@code ?} for one; all others are
 * literals. A character is a code point. Immutable.
 */
public final class Glob implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int STAR = -1;
  private static final int ONE = -2;

  /** The patterns that {@link #and} makes at most. */
  private static final int MAX_BOTH = 1000;

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

  /** Whether some name matches both. */
  public boolean shares(Glob other) {
    return shared(other)[0][0];
  }

  /** Of [i][j]: whether this pattern from i on and the other one from j on share a name. */
  private boolean[][] shared(Glob other) {
    boolean[][] shared = new boolean[pattern.length + 1][other.pattern.length + 1];
    for (int i = pattern.length; i >= 0; i--) {
      for (int j = other.pattern.length; j >= 0; j--) {
        boolean more = i < pattern.length;
        boolean otherMore = j < other.pattern.length;
        if (more && pattern[i] == STAR) {
          shared[i][j] = shared[i + 1][j] || (otherMore && shared[i][j + 1]);
        } else if (otherMore && other.pattern[j] == STAR) {
          shared[i][j] = shared[i][j + 1] || (more && shared[i + 1][j]);
        } else if (more && otherMore) {
          shared[i][j] =
              shared[i + 1][j + 1]
                  && (pattern[i] == other.pattern[j]
                      || pattern[i] == ONE
                      || other.pattern[j] == ONE);
        } else {
          shared[i][j] = !more && !otherMore;
        }
      }
    }
    return shared;
  }

  /**
   * Whether each name that matches the other one matches this one. May be false for patterns with
   * {@code *} beside {@code ?} that are equal in another order.
   */
  public boolean contains(Glob other) {
    // As a name whose stars and question marks only a star, and a star or a question mark, match.
    boolean[] matched = {};
    for (int i = pattern.length; i >= 0; i--) {
      boolean[] after = matched;
      matched = new boolean[other.pattern.length + 1];
      for (int j = other.pattern.length; j >= 0; j--) {
        boolean otherMore = j < other.pattern.length;
        if (i == pattern.length) {
          matched[j] = !otherMore;
        } else if (pattern[i] == STAR) {
          matched[j] = after[j] || (otherMore && matched[j + 1]);
        } else if (otherMore && other.pattern[j] != STAR) {
          matched[j] = (pattern[i] == ONE || pattern[i] == other.pattern[j]) && after[j + 1];
        }
      }
    }
    return matched[0];
  }

  /**
   * Patterns that together match the names that match both; none if there are no such names.
   *
   * @return null if there are too many
   */
  @Nullable List<Glob> and(Glob other) {
    if (contains(other)) {
      return Collections.singletonList(other);
    }
    List<Glob> all = new ArrayList<>();
    int[] made = new int[pattern.length + other.pattern.length];
    return addBoth(other, shared(other), 0, 0, made, 0, all) ? all : null;
  }

  /**
   * Adds all patterns that begin with {@code made} and go on with both patterns from i and j on.
   * Each call leads to at least one, since only ways to a shared name are gone.
   */
  private boolean addBoth(
      Glob other, boolean[][] shared, int i, int j, int[] made, int length, List<Glob> all) {
    if (!shared[i][j]) {
      return true;
    }
    if (i == pattern.length && j == other.pattern.length) {
      all.add(new Glob(text(made, length)));
      return all.size() <= MAX_BOTH;
    }
    boolean star = i < pattern.length && pattern[i] == STAR;
    boolean otherStar = j < other.pattern.length && other.pattern[j] == STAR;
    if (!star && !otherStar) {
      made[length] = pattern[i] == ONE ? other.pattern[j] : pattern[i];
      return addBoth(other, shared, i + 1, j + 1, made, length + 1, all);
    }
    if (star && otherStar) {
      // Both take the same characters until one of them ends.
      made[length] = STAR;
      return addBoth(other, shared, i + 1, j, made, length + 1, all)
          && addBoth(other, shared, i, j + 1, made, length + 1, all);
    }
    // The star ends here, or takes what the other pattern has next.
    if (!addBoth(other, shared, star ? i + 1 : i, star ? j : j + 1, made, length, all)) {
      return false;
    }
    if (star ? j == other.pattern.length : i == pattern.length) {
      return true;
    }
    made[length] = star ? other.pattern[j] : pattern[i];
    return addBoth(other, shared, star ? i : i + 1, star ? j + 1 : j, made, length + 1, all);
  }

  /** The text that was parsed. */
  String text() {
    return text(pattern, pattern.length);
  }

  private static String text(int[] pattern, int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(pattern[i] == STAR ? '*' : pattern[i] == ONE ? '?' : pattern[i]);
    }
    return text.toString();
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
