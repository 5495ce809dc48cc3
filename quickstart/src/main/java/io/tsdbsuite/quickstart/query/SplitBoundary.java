package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.testkit.TsdException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a query answers that reads rollups up to the split point and raw data from there on.
 *
 * @param splitAt the split point right after it was asked, seconds since the epoch
 * @param buckets all buckets, by time
 * @param none what the TSD answers to the same query with aggregator {@code none}
 */
public record SplitBoundary(long splitAt, List<Bucket> buckets, String none) {
  private static final long MILLIS = 1000;
  private static final int HOUR = 3600;
  private static final String DOWNSAMPLE = "1h-sum";
  private static final String AGGREGATOR = "sum";

  /**
   * One hour of the answer.
   *
   * @param time its start, seconds since the epoch
   * @param raw its value from raw data; NaN if raw data have none
   * @param split its values in the split answer: one, or none, or more
   */
  public record Bucket(long time, double raw, List<Double> split) {
    /** What became of this hour. */
    public Fate fate() {
      if (split.isEmpty()) {
        return Fate.MISSING;
      }
      if (split.stream().anyMatch(v -> Agreement.relative(v, raw) > Agreement.TOLERANCE)) {
        return Fate.DIFFERENT;
      }
      return split.size() > 1 ? Fate.TWICE : Fate.EQUAL;
    }
  }

  /** What can become of an hour. */
  public enum Fate {
    /** There once, with the value of raw data. */
    EQUAL("equal"),
    /** There more than once, with the value of raw data. */
    TWICE("twice"),
    /** Not there. */
    MISSING("missing"),
    /** There, with another value. */
    DIFFERENT("different");

    private final String text;

    Fate(String text) {
      this.text = text;
    }

    /** In words. */
    public String text() {
      return text;
    }
  }

  /**
   * Asks.
   *
   * @param asker of a TSD that splits
   * @param clock tells the time to split at, after the TSD has looked at its own
   * @param delaySlaSeconds the split point is so long ago
   * @param from first second, before the split point
   * @param to last second, exclusive, after the split point
   */
  public static SplitBoundary ask(
      Asker asker, Clock clock, long delaySlaSeconds, long from, long to) {
    Answer raw = asker.ask(DOWNSAMPLE, AGGREGATOR, Source.RAW_COMPACTED, from, to);
    Answer split = asker.ask(DOWNSAMPLE, AGGREGATOR, Source.ROLLUPS, from, to);
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
    String none = none(asker, from, to);
    return new SplitBoundary(clock.instant().getEpochSecond() - delaySlaSeconds, buckets, none);
  }

  private static String none(Asker asker, long from, long to) {
    try {
      Answer answer = asker.ask(DOWNSAMPLE, "none", Source.ROLLUPS, from, to);
      return answer.size() + " points in " + answer.series().size() + " series";
    } catch (TsdException e) {
      return "HTTP " + e.status() + ": " + firstLine(e.getMessage());
    }
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }

  /** How many buckets had this fate. */
  public long count(Fate fate) {
    return buckets.stream().filter(bucket -> bucket.fate() == fate).count();
  }

  /**
   * How many hours are lost or wrong.
   *
   * @param rollupTo end of the rollups: hours between it and the split point have neither rollups
   *     nor raw data in the answer and are not counted; there is one when the hour has turned since
   *     the rollups were made
   */
  public long errors(long rollupTo) {
    return buckets.stream()
        .filter(bucket -> bucket.time() < rollupTo || bucket.time() + HOUR > splitAt)
        .filter(bucket -> bucket.fate() == Fate.MISSING || bucket.fate() == Fate.DIFFERENT)
        .count();
  }

  /** Buckets that are not simply equal. */
  public List<Bucket> unequal() {
    return buckets.stream().filter(bucket -> bucket.fate() != Fate.EQUAL).toList();
  }
}
