package io.tsdbsuite.rollup.tiers;

import io.tsdbsuite.format.metric.Glob;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long tables keep the data of metrics. Of several entries that match a metric the first
 * counts; the data of a metric without one are kept for ever. docs/tiers.md has the file.
 *
 * @param sha256 of the file, 64 hex digits
 */
public record Policy(List<Entry> entries, String sha256) {
  /** What the policy calls the data table; all other tables have the name of their interval. */
  public static final String RAW = "raw";

  /** Key of an entry that is no table: series without a write for that time go from all tables. */
  public static final String IDLE = "idle";

  /**
   * An entry.
   *
   * @param match pattern of the metrics, as in {@code --metrics}
   * @param glob the same
   * @param keep days for which a table keeps data, by {@link #RAW} or interval; absent: for ever
   * @param idle days without a write after which a series goes from all tables; 0: never
   */
  public record Entry(String match, Glob glob, Map<String, Integer> keep, int idle) {
    Entry(String match, Map<String, Integer> keep, int idle) {
      this(match, new Glob(match), keep, idle);
    }
  }

  /** The entry that counts for a metric; null if there is none. */
  public @Nullable Entry of(String metric) {
    for (Entry entry : entries) {
      if (entry.glob().matches(metric)) {
        return entry;
      }
    }
    return null;
  }

  /** The metrics for which an entry counts, as {@code --metrics}: not those of earlier ones. */
  public List<String> metrics(Entry entry) {
    List<String> patterns = new ArrayList<>(List.of(entry.match()));
    for (Entry earlier : entries.subList(0, entries.indexOf(entry))) {
      if (earlier.glob().shares(entry.glob())) {
        patterns.add("!" + earlier.match());
      }
    }
    return patterns;
  }

  /** The tables that it limits, by {@link #RAW} or interval. */
  public Set<String> limited() {
    Set<String> tables = new LinkedHashSet<>();
    entries.forEach(entry -> tables.addAll(entry.keep().keySet()));
    return tables;
  }

  /** Whether some metric's data of this table go after a time. */
  public boolean limits(String interval) {
    return limited().contains(interval);
  }
}
