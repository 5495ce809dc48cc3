package io.tsdbsuite.format.metric;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A metric filter. A pattern is a metric name in which {@code *} stands for any characters and
 * {@code ?} for one; with a leading {@code !} it excludes. A metric is selected if no excluding
 * pattern matches and either an including pattern matches or there are no including patterns.
 * Immutable.
 */
public final class MetricPatterns implements Serializable {
  private static final long serialVersionUID = 3L;

  private final Glob[] includes;
  private final Glob[] excludes;

  private MetricPatterns(Glob[] includes, Glob[] excludes) {
    this.includes = includes;
    this.excludes = excludes;
  }

  /** Selects every metric. */
  public static MetricPatterns all() {
    return of(Collections.emptyList());
  }

  /** Parses patterns in the form of the command-line option. */
  public static MetricPatterns of(List<String> patterns) {
    List<Glob> includes = new ArrayList<>();
    List<Glob> excludes = new ArrayList<>();
    for (String pattern : patterns) {
      if (pattern.startsWith("!")) {
        excludes.add(new Glob(pattern.substring(1)));
      } else {
        includes.add(new Glob(pattern));
      }
    }
    return new MetricPatterns(includes.toArray(new Glob[0]), excludes.toArray(new Glob[0]));
  }

  /** Whether there are no patterns, so that every metric is selected. */
  public boolean isAll() {
    return includes.length == 0 && excludes.length == 0;
  }

  /** The including patterns; {@code *} if there are none. */
  List<Glob> includes() {
    return includes.length == 0
        ? Collections.singletonList(new Glob("*"))
        : Arrays.asList(includes);
  }

  /** The excluding patterns, without the {@code !}. */
  List<Glob> excludes() {
    return Arrays.asList(excludes);
  }

  /** Whether a metric is selected. */
  public boolean wants(String metric) {
    int[] name = metric.codePoints().toArray();
    return (includes.length == 0 || matchesOne(includes, name)) && !matchesOne(excludes, name);
  }

  /**
   * Whether both may select one metric. False only if each pattern of one begins otherwise than
   * each of the other, or is excluded as a whole.
   */
  public boolean mayShare(MetricPatterns other) {
    List<Glob> ones = selecting(this, other);
    List<Glob> others = selecting(other, this);
    for (Glob a : ones) {
      for (Glob b : others) {
        if (a.beginsLike(b)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The including patterns of one, without those that one or the other excludes. */
  private static List<Glob> selecting(MetricPatterns one, MetricPatterns other) {
    List<Glob> all = new ArrayList<>(one.includes());
    all.removeIf(each -> one.excludesAll(each) || other.excludesAll(each));
    return all;
  }

  private boolean excludesAll(Glob pattern) {
    for (Glob exclude : excludes) {
      if (exclude.contains(pattern)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matchesOne(Glob[] patterns, int[] name) {
    for (Glob pattern : patterns) {
      if (pattern.matches(name)) {
        return true;
      }
    }
    return false;
  }
}
