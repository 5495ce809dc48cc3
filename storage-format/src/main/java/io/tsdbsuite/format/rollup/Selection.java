package io.tsdbsuite.format.rollup;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the rollups of a metric have beside sum, min, max and count. Immutable. */
public final class Selection implements Serializable {
  /** Nothing. */
  public static final Selection NONE =
      new Selection(Collections.emptyMap(), Collections.emptySet());

  private static final long serialVersionUID = 1L;

  // HashMap and HashSet of the entries, never changed; the interfaces are not serializable.
  private final Map<String, List<String>> aggregators;
  private final Set<String> histograms;

  Selection(Map<String, List<String>> aggregators, Set<String> histograms) {
    this.aggregators = aggregators;
    this.histograms = histograms;
  }

  /**
   * The further aggregators of an interval, in the order p50 p75 p90 p95 p99 p999 first last;
   * unmodifiable, one instance for all metrics of an entry.
   *
   * @param interval as rollup_config.json writes it
   */
  public List<String> aggregators(String interval) {
    return aggregators.getOrDefault(interval, Collections.emptyList());
  }

  /**
   * The texts of the levels that rollups of an interval have: {@code 1h}, then {@code 1h.p99} of
   * each of {@link #aggregators}, then {@code 1h.histogram}.
   */
  public List<String> levels(String interval) {
    List<String> levels = new ArrayList<>(Collections.singletonList(interval));
    aggregators(interval).forEach(name -> levels.add(Level.text(interval, name)));
    if (histogram(interval)) {
      levels.add(Level.text(interval, Level.HISTOGRAM));
    }
    return levels;
  }

  /** Whether histograms of an interval are stored. */
  public boolean histogram(String interval) {
    return histograms.contains(interval);
  }

  /** Whether it has nothing in any interval. */
  public boolean isEmpty() {
    return aggregators.isEmpty() && histograms.isEmpty();
  }
}
