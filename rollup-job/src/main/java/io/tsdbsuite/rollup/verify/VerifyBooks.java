package io.tsdbsuite.rollup.verify;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of the comparison; these sums hold for each interval and for all:
 *
 * <pre>
 * compared  = equal + missing + extra + different        one of one series and interval
 * compared  = computed from raw data + extra
 * </pre>
 *
 * One for each task, added up by the driver. Not thread-safe.
 */
public final class VerifyBooks implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Samples kept for each verdict. */
  public static final int SAMPLES = 20;

  private final TreeMap<String, long[]> verdicts = new TreeMap<>();
  private final EnumMap<Verdict, List<String>> samples = new EnumMap<>(Verdict.class);
  private long computed;
  private long series;
  private long queries;

  /** Empty books. */
  public VerifyBooks() {}

  /** Takes note of a series that has something to compare. */
  public void series() {
    series++;
  }

  /** Takes note of queries that a TSD has answered. */
  public void queries(long more) {
    queries += more;
  }

  /** Takes note of a rollup that raw data make. */
  public void computed() {
    computed++;
  }

  /**
   * Takes note of a verdict.
   *
   * @return whether there is room for a sample of it
   */
  public boolean add(String interval, Verdict verdict) {
    counts(interval)[verdict(verdict)]++;
    return verdict != Verdict.EQUAL && sampled(verdict).size() < SAMPLES;
  }

  /** Keeps a sample. */
  public void sample(Verdict verdict, String text) {
    sampled(verdict).add(text);
  }

  /** Adds another task's books. */
  public void add(VerifyBooks other) {
    other.verdicts.forEach(
        (interval, more) -> {
          long[] counts = counts(interval);
          for (int i = 0; i < counts.length; i++) {
            counts[i] += more[i];
          }
        });
    other.samples.forEach(
        (verdict, list) -> {
          List<String> own = sampled(verdict);
          list.stream().limit(SAMPLES - (long) own.size()).forEach(own::add);
        });
    computed += other.computed;
    series += other.series;
    queries += other.queries;
  }

  private long[] counts(String interval) {
    return verdicts.computeIfAbsent(interval, key -> new long[Verdict.values().length]);
  }

  private static int verdict(Verdict verdict) {
    return switch (verdict) {
      case EQUAL -> 0;
      case MISSING -> 1;
      case EXTRA -> 2;
      case DIFFERENT -> 3;
    };
  }

  private List<String> sampled(Verdict verdict) {
    return samples.computeIfAbsent(verdict, key -> new ArrayList<>());
  }

  /** How many comparisons ended so. */
  public long count(Verdict verdict) {
    return verdicts.values().stream().mapToLong(counts -> counts[verdict(verdict)]).sum();
  }

  /** The same of one interval. */
  public long count(String interval, Verdict verdict) {
    long[] counts = verdicts.get(interval);
    return counts == null ? 0 : counts[verdict(verdict)];
  }

  /** The intervals that had something to compare. */
  public List<String> intervals() {
    return List.copyOf(verdicts.keySet());
  }

  /** Series and intervals that were compared. */
  public long compared() {
    return verdicts.values().stream()
        .mapToLong(counts -> counts[0] + counts[1] + counts[2] + counts[3])
        .sum();
  }

  /** Rollups that raw data make, of the series that are compared. */
  public long fromRawData() {
    return computed;
  }

  /** Series that had something to compare. */
  public long seriesCompared() {
    return series;
  }

  /** Queries that a TSD has answered. */
  public long queriesAnswered() {
    return queries;
  }

  /** Samples of what is not equal. */
  public SortedMap<Verdict, List<String>> samples() {
    SortedMap<Verdict, List<String>> copy = new TreeMap<>();
    for (Map.Entry<Verdict, List<String>> entry : samples.entrySet()) {
      copy.put(entry.getKey(), Collections.unmodifiableList(entry.getValue()));
    }
    return copy;
  }

  /** Whether the sums hold. */
  public boolean close() {
    return compared() == computed + count(Verdict.EXTRA);
  }

  /** Whether nothing but equal rollups was found. */
  public boolean isClean() {
    return compared() == count(Verdict.EQUAL);
  }
}
