package io.tsdbsuite.coverage;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A metric filter. A pattern is a metric name in which {@code *} stands for any characters and
 * {@code ?} for one; with a leading {@code !} it excludes. A metric is selected if no excluding
 * pattern matches and either an including pattern matches or there are no including patterns.
 * Immutable.
 */
public final class MetricPatterns implements Serializable {
  private static final long serialVersionUID = 2L;

  private static final int STAR = -1;
  private static final int ONE = -2;

  // Code points; a wildcard is a negative number.
  private final int[][] includes;
  private final int[][] excludes;

  private MetricPatterns(int[][] includes, int[][] excludes) {
    this.includes = includes;
    this.excludes = excludes;
  }

  /** Selects every metric. */
  public static MetricPatterns all() {
    return of(Collections.emptyList());
  }

  /** Parses patterns in the form of the command-line option. */
  public static MetricPatterns of(List<String> patterns) {
    List<int[]> includes = new ArrayList<>();
    List<int[]> excludes = new ArrayList<>();
    for (String pattern : patterns) {
      if (pattern.startsWith("!")) {
        excludes.add(parse(pattern.substring(1)));
      } else {
        includes.add(parse(pattern));
      }
    }
    return new MetricPatterns(includes.toArray(new int[0][]), excludes.toArray(new int[0][]));
  }

  private static int[] parse(String glob) {
    int[] pattern = glob.codePoints().toArray();
    for (int i = 0; i < pattern.length; i++) {
      if (pattern[i] == '*') {
        pattern[i] = STAR;
      } else if (pattern[i] == '?') {
        pattern[i] = ONE;
      }
    }
    return pattern;
  }

  /** Whether there are no patterns, so that every metric is selected. */
  public boolean isAll() {
    return includes.length == 0 && excludes.length == 0;
  }

  /** Whether a metric is selected. */
  public boolean wants(String metric) {
    int[] name = metric.codePoints().toArray();
    return (includes.length == 0 || matchesOne(includes, name)) && !matchesOne(excludes, name);
  }

  /**
   * Whether both may select one metric. False only if each pattern of one begins otherwise than
   * each of the other.
   */
  public boolean mayShare(MetricPatterns other) {
    if (includes.length == 0 || other.includes.length == 0) {
      return true;
    }
    for (int[] a : includes) {
      for (int[] b : other.includes) {
        if (begin(a, b)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether two patterns are equal up to the first wildcard of one or the end. */
  private static boolean begin(int[] a, int[] b) {
    for (int i = 0; i < Math.min(a.length, b.length) && a[i] >= 0 && b[i] >= 0; i++) {
      if (a[i] != b[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean matchesOne(int[][] patterns, int[] name) {
    for (int[] pattern : patterns) {
      if (matches(pattern, name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Matches with each star as few characters as possible. On a mismatch only the last star takes
   * one more: if a longer match of an earlier star leads to success, this one does, too. The work
   * is at most the product of both lengths; that of a regular expression with several stars has no
   * such bound.
   */
  private static boolean matches(int[] pattern, int[] name) {
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
}
