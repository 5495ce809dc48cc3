package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.rollup.report.Tally;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Books of a comparison; these sums hold for each interval and in total:
 *
 * <pre>
 * compared  = equal + missing + extra + different        counts pairs of series and interval
 * compared  = computed from raw data + extra
 * </pre>
 *
 * A histogram counts beside the rollup of which it is, as one of an interval of its own, its level;
 * so does the packed copy of a rollup. Rollups below the floor of their metric are counted beside
 * these sums.
 *
 * <p>Each task has its own books; the driver adds them up. Not thread-safe.
 */
public final class VerifyBooks implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Samples kept for each verdict. */
  public static final int SAMPLES = 20;

  private final TreeMap<String, Tally<Verdict>> verdicts = new TreeMap<>();
  private final EnumMap<Verdict, List<String>> samples = new EnumMap<>(Verdict.class);
  private final TreeMap<String, Long> belowFloor = new TreeMap<>();

  /** By interval, and by level of it: {@code 1h}, {@code 1h.p99}. */
  private final TreeMap<String, Long> further = new TreeMap<>();

  private long computed;
  private long series;
  private long queries;

  /** Counts a series with at least one rollup to compare. */
  public void series() {
    series++;
  }

  /** Counts queries answered by a TSD. */
  public void queries(long more) {
    queries += more;
  }

  /** Counts a rollup computed from raw data. */
  public void computed() {
    computed++;
  }

  /** Counts a pair of series and interval that is not compared, since raw data may be gone. */
  public void belowFloor(String interval) {
    belowFloor.merge(interval, 1L, Long::sum);
  }

  /**
   * Counts a verdict.
   *
   * @return whether another sample of this verdict can be kept
   */
  public boolean add(String interval, Verdict verdict) {
    counts(interval).increment(verdict);
    return verdict != Verdict.EQUAL && sampled(verdict).size() < SAMPLES;
  }

  /**
   * Counts which further aggregators differ in a rollup that was counted as {@link
   * Verdict#DIFFERENT}, and whose sum, min, max and count are equal; or a histogram or a packed
   * rollup that was counted as anything but {@link Verdict#EQUAL}.
   *
   * @param interval or the level of the histogram or the packed rollup
   * @param levels of the interval
   */
  public void further(String interval, List<String> levels) {
    further.merge(interval, 1L, Long::sum);
    levels.forEach(level -> further.merge(level, 1L, Long::sum));
  }

  /** Keeps a sample. */
  public void sample(Verdict verdict, String text) {
    sampled(verdict).add(text);
  }

  /** Adds the books of another task. */
  public void add(VerifyBooks other) {
    other.verdicts.forEach((interval, more) -> counts(interval).addAll(more));
    other.samples.forEach(
        (verdict, list) -> {
          List<String> own = sampled(verdict);
          list.stream().limit(SAMPLES - (long) own.size()).forEach(own::add);
        });
    other.belowFloor.forEach((interval, more) -> belowFloor.merge(interval, more, Long::sum));
    other.further.forEach((level, more) -> further.merge(level, more, Long::sum));
    computed += other.computed;
    series += other.series;
    queries += other.queries;
  }

  private Tally<Verdict> counts(String interval) {
    return verdicts.computeIfAbsent(interval, key -> new Tally<>(Verdict.class));
  }

  private List<String> sampled(Verdict verdict) {
    return samples.computeIfAbsent(verdict, key -> new ArrayList<>());
  }

  /** Number of comparisons with this verdict. */
  public long count(Verdict verdict) {
    return verdicts.values().stream().mapToLong(counts -> counts.get(verdict)).sum();
  }

  /** Number of comparisons of one interval with this verdict. */
  public long count(String interval, Verdict verdict) {
    Tally<Verdict> counts = verdicts.get(interval);
    return counts == null ? 0 : counts.get(verdict);
  }

  /** The intervals, and levels of histograms and packed rows, with at least one comparison. */
  public List<String> intervals() {
    return List.copyOf(verdicts.keySet());
  }

  /** Number of compared pairs of series and interval. */
  public long compared() {
    return verdicts.values().stream().mapToLong(Tally::total).sum();
  }

  /** Number of pairs of one interval that are below the floor of their metric: not compared. */
  public long countBelowFloor(String interval) {
    return belowFloor.getOrDefault(interval, 0L);
  }

  /** Number of pairs of all intervals that are below the floor of their metric. */
  public long countBelowFloor() {
    return belowFloor.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Number of different rollups whose sum, min, max and count are equal, so that further
   * aggregators alone differ; of a level of histograms or packed rows, of those that are missing,
   * extra or different.
   *
   * @param level an interval, or a level of it for those in which its aggregator differs
   */
  public long countFurther(String level) {
    return further.getOrDefault(level, 0L);
  }

  /** Number of rollups computed from raw data, of the compared series. */
  public long fromRawData() {
    return computed;
  }

  /** Number of series with at least one rollup to compare. */
  public long seriesCompared() {
    return series;
  }

  /** Number of queries answered by a TSD. */
  public long queriesAnswered() {
    return queries;
  }

  /** Samples of unequal comparisons. */
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

  /** How many rollups are not equal, in words. */
  public String differences() {
    return "of %s rollups %s are missing, %s are extra, %s are different"
        .formatted(
            compared(), count(Verdict.MISSING), count(Verdict.EXTRA), count(Verdict.DIFFERENT));
  }

  /** Whether sum, min, max and count of all compared rollups are equal. */
  public boolean isCleanOfFurther() {
    return compared()
        == count(Verdict.EQUAL) + intervals().stream().mapToLong(this::countFurther).sum();
  }

  /** Whether all compared rollups are equal. */
  public boolean isClean() {
    return compared() == count(Verdict.EQUAL);
  }
}
