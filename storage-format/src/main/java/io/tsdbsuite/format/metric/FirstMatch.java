package io.tsdbsuite.format.metric;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The metrics that some entries of a list have, where the first entry that selects a metric counts,
 * as one list of patterns: what a window of the coverage can say.
 */
public final class FirstMatch {
  /** The patterns that a window of the coverage may have. */
  private static final int MAX_PATTERNS = 100;

  /** The bytes of its list. */
  private static final int MAX_BYTES = 4096;

  private final List<Part> parts = new ArrayList<>();

  /** The metrics of one including pattern without those of some excluding ones. */
  private static final class Part {
    final Glob include;
    final Set<Glob> excludes;

    Part(Glob include, Set<Glob> excludes) {
      this.include = include;
      this.excludes = excludes;
    }

    boolean isWithout(Glob pattern) {
      return excludes.stream().anyMatch(each -> each.contains(pattern));
    }

    /** Whether each metric of another part is one of this. */
    boolean contains(Part other) {
      return include.contains(other.include)
          && excludes.stream().allMatch(e -> !e.shares(other.include) || other.isWithout(e));
    }
  }

  private FirstMatch() {}

  /**
   * The metrics of all entries that {@code chosen} names, among those of a list: exactly those.
   *
   * @param entries patterns as of {@link MetricPatterns#of}, in their order
   * @param chosen of each entry
   * @param within patterns as of {@link MetricPatterns#of}
   * @return patterns of which at least one includes, or none at all if no metric is selected (which
   *     {@link MetricPatterns#of} would take for all); null if no list of at most 100 patterns and
   *     4,096 bytes was found
   */
  public static @Nullable List<String> patterns(
      List<MetricPatterns> entries, boolean[] chosen, MetricPatterns within) {
    FirstMatch all = new FirstMatch();
    for (int i = 0; i < chosen.length; i++) {
      if (chosen[i] && !all.add(entries, chosen, i, within)) {
        return null;
      }
    }
    return all.list();
  }

  /**
   * Adds the metrics of an entry without those of the earlier entries that are not chosen; those of
   * the chosen ones are added anyway.
   */
  private boolean add(
      List<MetricPatterns> entries, boolean[] chosen, int entry, MetricPatterns within) {
    for (Glob include : entries.get(entry).includes()) {
      for (Glob other : within.includes()) {
        List<Glob> both = include.and(other);
        if (both == null) {
          return false;
        }
        for (Glob each : both) {
          Part part = new Part(each, new LinkedHashSet<>(entries.get(entry).excludes()));
          part.excludes.addAll(within.excludes());
          for (int j = 0; j < entry; j++) {
            if (!chosen[j] && !subtract(part, entries.get(j))) {
              return false;
            }
          }
          add(part);
          if (parts.size() > MAX_PATTERNS) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private static boolean subtract(Part part, MetricPatterns earlier) {
    List<Glob> taken = new ArrayList<>();
    for (Glob include : earlier.includes()) {
      if (include.shares(part.include)
          && earlier.excludes().stream().noneMatch(each -> each.contains(include))) {
        // What the earlier entry excludes from it would have to stay in the part.
        for (Glob back : earlier.excludes()) {
          if (back.shares(include) && back.shares(part.include) && !part.isWithout(back)) {
            return false;
          }
        }
        taken.add(include);
      }
    }
    part.excludes.addAll(taken);
    return true;
  }

  private void add(Part part) {
    if (!part.isWithout(part.include) && parts.stream().noneMatch(each -> each.contains(part))) {
      parts.removeIf(part::contains);
      parts.add(part);
    }
  }

  private @Nullable List<String> list() {
    Set<String> patterns = new LinkedHashSet<>();
    Set<Glob> excludes = new LinkedHashSet<>();
    for (Part part : parts) {
      if (part.include.text().startsWith("!")) {
        return null;
      }
      patterns.add(part.include.text());
      part.excludes.stream().filter(part.include::shares).forEach(excludes::add);
    }
    // An excluding pattern of one part must not take metrics from another.
    for (Glob exclude : excludes) {
      for (Part part : parts) {
        if (exclude.shares(part.include) && !part.isWithout(exclude)) {
          return null;
        }
      }
      patterns.add('!' + exclude.text());
    }
    int bytes = String.join(",", patterns).getBytes(StandardCharsets.UTF_8).length;
    return patterns.size() > MAX_PATTERNS || bytes > MAX_BYTES
        ? null
        : Collections.unmodifiableList(new ArrayList<>(patterns));
  }
}
