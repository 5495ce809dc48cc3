package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.testkit.TsdException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The answer of a split query, which reads rollups up to the split point and raw data after it.
 *
 * @param splitAt the split point right after the query, seconds since the epoch
 * @param buckets all buckets, by time
 * @param none the TSD's answer to the same query with aggregator {@code none}
 */
public record SplitQueryResult(long splitAt, List<Bucket> buckets, String none) {
  private static final long MILLIS = 1000;
  private static final String DOWNSAMPLE = "1h-sum";
  private static final String AGGREGATOR = "sum";

  /**
   * One hour of the answer.
   *
   * @param time its start, seconds since the epoch
   * @param raw the value from raw data; NaN if there is none
   * @param split the values in the split query's answer: none, one or more
   */
  public record Bucket(long time, double raw, List<Double> split) {
    /** The state of this hour in the split query's answer. */
    public BucketState state() {
      if (split.isEmpty()) {
        return BucketState.MISSING;
      }
      if (differs(split.get(split.size() - 1))) {
        return BucketState.DIFFERENT;
      }
      if (split.stream().anyMatch(this::differs)) {
        return BucketState.PARTIAL;
      }
      return split.size() > 1 ? BucketState.TWICE : BucketState.EQUAL;
    }

    private boolean differs(double value) {
      return AnswerComparison.relative(value, raw) > AnswerComparison.TOLERANCE;
    }
  }

  /** The state of an hour in the split query's answer. */
  public enum BucketState {
    /** Once, with the value of raw data. */
    EQUAL("equal"),
    /** More than once, with the value of raw data. */
    TWICE("twice"),
    /**
     * More than once; the last value is that of raw data, an earlier one is not: some series had no
     * rollup yet.
     */
    PARTIAL("twice, the first incomplete"),
    /** Missing. */
    MISSING("missing"),
    /** With another value, which is the last one. */
    DIFFERENT("different");

    private final String text;

    BucketState(String text) {
      this.text = text;
    }

    /** The name in tables and plots. */
    public String text() {
      return text;
    }
  }

  /**
   * Runs the query.
   *
   * @param client client of a TSD that splits
   * @param clock the clock for the split point, read after the query
   * @param delaySlaSeconds age of the split point, seconds
   * @param from first second, before the split point
   * @param to last second, exclusive, after the split point
   */
  public static SplitQueryResult ask(
      QueryClient client, Clock clock, long delaySlaSeconds, long from, long to) {
    Answer raw = client.ask(DOWNSAMPLE, AGGREGATOR, QuerySource.RAW_COMPACTED, from, to);
    Answer split = client.ask(DOWNSAMPLE, AGGREGATOR, QuerySource.ROLLUPS, from, to);
    SortedMap<Long, Double> expected = new TreeMap<>();
    raw.points().forEach(point -> expected.put(point.time() / MILLIS, point.value()));
    SortedMap<Long, List<Double>> found = new TreeMap<>();
    expected.keySet().forEach(time -> found.put(time, new ArrayList<>()));
    for (Point point : split.points()) {
      found.computeIfAbsent(point.time() / MILLIS, t -> new ArrayList<>()).add(point.value());
    }
    List<Bucket> buckets = new ArrayList<>();
    found.forEach(
        (time, values) ->
            buckets.add(new Bucket(time, expected.getOrDefault(time, Double.NaN), values)));
    String none = none(client, from, to);
    return new SplitQueryResult(clock.instant().getEpochSecond() - delaySlaSeconds, buckets, none);
  }

  private static String none(QueryClient client, long from, long to) {
    try {
      Answer answer = client.ask(DOWNSAMPLE, "none", QuerySource.ROLLUPS, from, to);
      return answer.size() + " points in " + answer.series().size() + " series";
    } catch (TsdException e) {
      return "HTTP " + e.status() + ": " + firstLine(String.valueOf(e.getMessage()));
    }
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  /** The number of buckets in this state. */
  public long count(BucketState state) {
    return buckets.stream().filter(bucket -> bucket.state() == state).count();
  }

  /** The number of lost or wrong hours. */
  public long errors() {
    return count(BucketState.MISSING) + count(BucketState.DIFFERENT);
  }

  /** Buckets that are not in the state EQUAL. */
  public List<Bucket> unequal() {
    return buckets.stream().filter(bucket -> bucket.state() != BucketState.EQUAL).toList();
  }
}
