package io.tsdbsuite.job.coverage;

import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.metric.FirstMatch;
import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.Duration;
import io.tsdbsuite.format.rollup.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The windows of a coverage table after others were added, in few rows. Refreshes raise the windows
 * that are there, windows that say nothing any more go, and neighbours become one. Each row claims
 * only what is proven, so that a part of the changes claims nothing more.
 *
 * <pre>
 *   windows    |-- as of 3 --|-- as of 4 --|-- as of 5 --|
 *   refresh    |----- since 4, as of 5 ----|
 *   result     |-- as of 3 --|-------- as of 5 ----------|
 * </pre>
 */
final class CoverageFold {
  /** Masks of that age that a window shows are deleted: its age says nothing any more. */
  private static final long OLD = Coverage.MAX_PROOF_AGE + 2 * Coverage.MAX_AGE;

  /** Old windows that expire in the same multiple become one, which expires as the first. */
  private static final long EXPIRY_SPAN = 7 * 86_400_000L;

  private final Map<String, CoverageWindow> before = new LinkedHashMap<>();
  private final Map<String, CoverageWindow> after = new LinkedHashMap<>();
  private final Set<String> otherRows = new HashSet<>();

  /**
   * @param windows of the rollup tables
   * @param others windows of other rollup tables, whose rows stay
   */
  CoverageFold(List<CoverageWindow> windows, List<CoverageWindow> others) {
    windows.forEach(window -> before.put(key(window), window));
    after.putAll(before);
    others.forEach(window -> otherRows.add(key(window)));
  }

  static String key(CoverageWindow window) {
    return CoverageRows.windowRow(window.interval(), window.from(), window.writer());
  }

  /**
   * Adds windows, and then lets refreshes raise all.
   *
   * @param now milliseconds since the epoch
   */
  void add(List<CoverageWindow> windows, long now) {
    List.copyOf(after.values()).forEach(old -> narrow(old, windows));
    for (CoverageWindow window : windows) {
      if (!window.isRefresh() && after.values().stream().noneMatch(old -> old.says(window))) {
        put(window);
      }
    }
    for (CoverageWindow refresh : windows) {
      if (refresh.isRefresh()) {
        List.copyOf(after.values()).forEach(window -> raise(window, refresh));
      }
    }
    removeIdle(windows);
    merge(now);
  }

  /** Takes out what an earlier look of the same run has proven, and the one of now has not. */
  private void narrow(CoverageWindow old, List<CoverageWindow> windows) {
    List<CoverageWindow> again =
        windows.stream().filter(window -> !window.isRefresh() && isSameRun(old, window)).toList();
    long from = again.stream().mapToLong(CoverageWindow::from).min().orElse(old.to());
    long to = again.stream().mapToLong(CoverageWindow::to).max().orElse(old.from());
    CoverageWindow part =
        old.part(old.writer(), Math.max(from, old.from()), Math.min(to, old.to()), old.metrics());
    if (part.from() < part.to()
        && again.stream().noneMatch(window -> window.raised(old.asOf(), "").says(part))) {
      after.remove(key(old));
      putPart(old, old.from(), part.from(), old.metrics());
      putPart(old, part.to(), old.to(), old.metrics());
    }
  }

  /** By the time of the snapshot and the name before the first dot. */
  private static boolean isSameRun(CoverageWindow old, CoverageWindow window) {
    return old.interval().equals(window.interval())
        && old.table().equals(window.table())
        && old.fullAsOf() == window.fullAsOf()
        && old.writer().replaceFirst("\\..*", "").equals(window.writer().replaceFirst("\\..*", ""));
  }

  private static long seconds(CoverageWindow window) {
    Duration width = Duration.parse(CoverageRows.interval(window.interval()));
    if (width == null) {
      throw new IllegalArgumentException("no interval: " + window);
    }
    return width.seconds();
  }

  /**
   * Raises the part of a window that a refresh has rolled up again; not of packed rows, which the
   * refresh has not compared.
   */
  private void raise(CoverageWindow window, CoverageWindow refresh) {
    if (Level.isPacked(window.interval())
        || !window.interval().equals(refresh.interval())
        || !window.table().equals(refresh.table())
        || window.asOf() < refresh.since()
        || window.asOf() >= refresh.asOf()) {
      return;
    }
    String metrics = both(window.metrics(), refresh.metrics());
    long width = seconds(window);
    long from = window.from();
    long to = window.to();
    if (from < refresh.from()) {
      from = -Math.floorDiv(-refresh.from(), width) * width;
    }
    if (to > refresh.to()) {
      to = Math.floorDiv(refresh.to(), width) * width;
    }
    if (metrics == null && window.interval().indexOf('.') > 0) {
      // A window of a level has the patterns that suite of rollup_config.json had then.
      List<String> common =
          FirstMatch.patterns(List.of(patterns(window)), new boolean[] {true}, patterns(refresh));
      metrics = common == null || common.isEmpty() ? null : String.join(",", common);
    }
    if (metrics == null || from >= to) {
      return;
    }
    CoverageWindow raised =
        window
            .part(window.writer(), from, to, metrics)
            .raised(refresh.asOf(), refresh.evidence())
            .expiring(Math.min(window.expires(), refresh.expires()));
    Set<String> left = excludes(metrics);
    left.removeAll(excludes(window.metrics()));
    if (!includes(metrics).equals(includes(window.metrics()))
        || left.stream().anyMatch(pattern -> pattern.matches("!(!.*|.*[*?].*)"))) {
      put(raised);
      return;
    }
    after.remove(key(window));
    put(raised);
    putPart(window, window.from(), from, window.metrics());
    putPart(window, to, window.to(), window.metrics());
    // One row for each name: neighbours become one, those of other names each night do not.
    for (String pattern : left) {
      String name = pattern.substring(1);
      if (window.wants(name)) {
        putPart(window, from, to, name);
      }
    }
  }

  private static MetricPatterns patterns(CoverageWindow window) {
    return MetricPatterns.of(List.of(window.metrics().split(",", -1)));
  }

  private void putPart(CoverageWindow window, long from, long to, String metrics) {
    if (from < to) {
      put(window.part(window.writer(), from, to, metrics));
    }
  }

  /** Puts a window under a name of its own. */
  private void put(CoverageWindow window) {
    CoverageWindow named = window;
    String writer = window.writer().replaceFirst("\\.\\d+$", "");
    for (int i = 2; after.containsKey(key(named)) || otherRows.contains(key(named)); i++) {
      named = window.part(writer + "." + i, window.from(), window.to(), window.metrics());
    }
    after.put(key(named), named);
  }

  /** The metrics that two selections have in common; null if no selection says it. */
  static @Nullable String both(String one, String other) {
    if (one.equals(other)) {
      return one;
    }
    Set<String> ones = includes(one);
    Set<String> others = includes(other);
    Set<String> both = new LinkedHashSet<>();
    if (ones.equals(others) || others.contains("*")) {
      both.addAll(ones);
    } else if (ones.contains("*")) {
      both.addAll(others);
    } else {
      return null;
    }
    Set<String> excludes = excludes(one);
    excludes.addAll(excludes(other));
    both.addAll(excludes);
    String text = String.join(",", both);
    return CoverageRows.isSelection(text) ? text : null;
  }

  private static Set<String> includes(String metrics) {
    Set<String> patterns = new LinkedHashSet<>(List.of(metrics.split(",", -1)));
    patterns.removeIf(pattern -> pattern.startsWith("!"));
    return patterns.isEmpty() ? Set.of("*") : patterns;
  }

  private static Set<String> excludes(String metrics) {
    // One order, so that one set is one selection.
    Set<String> patterns = new TreeSet<>(List.of(metrics.split(",", -1)));
    patterns.removeIf(pattern -> !pattern.startsWith("!"));
    return patterns;
  }

  private void removeIdle(List<CoverageWindow> windows) {
    long asOf = windows.stream().mapToLong(CoverageWindow::asOf).max().orElse(0);
    List<CoverageWindow> changed = changed();
    for (CoverageWindow old : List.copyOf(after.values())) {
      boolean isIdle =
          changed.stream()
              .anyMatch(
                  window -> window != old && window.says(old) && after.get(key(window)) == window);
      if (isIdle || old.expires() < asOf) {
        after.remove(key(old));
      }
    }
  }

  /** Makes neighbours one window. */
  private void merge(long now) {
    List<CoverageWindow> sorted = new ArrayList<>(after.values());
    sorted.sort(
        Comparator.comparing(CoverageWindow::interval)
            .thenComparing(CoverageWindow::table)
            .thenComparing(CoverageWindow::metrics)
            .thenComparingLong(CoverageWindow::expires)
            .thenComparingLong(CoverageWindow::from));
    CoverageWindow last = null;
    for (CoverageWindow next : sorted) {
      CoverageWindow one = last == null ? null : merged(last, next, now - OLD);
      if (last != null && one != null) {
        after.remove(key(next));
        after.put(key(last), one);
        last = one;
      } else {
        last = next;
      }
    }
  }

  /** One window of two; null if it would not say what both say of what is still masked. */
  private static @Nullable CoverageWindow merged(
      CoverageWindow one, CoverageWindow next, long old) {
    long width = seconds(one);
    long to = Math.max(one.to(), next.to());
    long asOf = Math.min(one.asOf(), next.asOf());
    boolean oneSelection =
        one.interval().equals(next.interval())
            && one.table().equals(next.table())
            && one.metrics().equals(next.metrics());
    boolean isOld = Math.max(one.fullAsOf(), next.fullAsOf()) < old;
    boolean oneExpiry =
        one.expires() == next.expires()
            || (isOld && one.expires() / EXPIRY_SPAN == next.expires() / EXPIRY_SPAN);
    // Both have the interval that begins there as a whole, or neither.
    boolean neighbours = next.from() <= one.to() && next.from() % width == 0;
    boolean oneReading =
        one.asOf() == next.asOf()
            || (next.from() == one.to()
                && Math.max(one.asOf(), next.asOf()) < old
                && Coverage.settled(asOf, width * 1000) >= to * 1000);
    boolean oneFull =
        one.fullAsOf() == next.fullAsOf()
            || (isOld
                && one.fullAsOf() / Coverage.FULL_SPAN == next.fullAsOf() / Coverage.FULL_SPAN);
    if (!oneSelection || !oneExpiry || !neighbours || !oneReading || !oneFull) {
      return null;
    }
    return one.part(one.writer(), one.from(), to, one.metrics())
        .raised(asOf, next.evidence())
        .full(Math.min(one.fullAsOf(), next.fullAsOf()))
        .expiring(Math.min(one.expires(), next.expires()));
  }

  /** What was in the row of a window before; null if nothing. */
  @Nullable CoverageWindow before(CoverageWindow window) {
    return before.get(key(window));
  }

  /** The windows to put: new ones, then those that replace rows of before. */
  List<CoverageWindow> changed() {
    List<CoverageWindow> changed = new ArrayList<>();
    for (boolean known : new boolean[] {false, true}) {
      after.forEach(
          (key, window) -> {
            if (before.containsKey(key) == known && before.get(key) != window) {
              changed.add(window);
            }
          });
    }
    return changed;
  }

  /** The windows to remove then. */
  List<CoverageWindow> gone() {
    List<CoverageWindow> gone = new ArrayList<>();
    before.forEach(
        (key, window) -> {
          if (!after.containsKey(key)) {
            gone.add(window);
          }
        });
    return gone;
  }
}
