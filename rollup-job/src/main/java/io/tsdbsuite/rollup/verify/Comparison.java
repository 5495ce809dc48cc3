package io.tsdbsuite.rollup.verify;

import io.tsdbsuite.coverage.CoverageFloor;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares both sides record by record, in key order. Values are compared as doubles, independent
 * of their stored width and type, because the stock TSD chooses both by the value; histograms byte
 * by byte. For one thread.
 */
public final class Comparison {
  private static final byte[] NONE = {};
  private static final String NOT_MADE = "none, as one lacks it";

  /** Of sums that are made of sums: those of the same points in another order differ. */
  private static final double RELATIVE_ERROR = 1e-9;

  /** The same of what count points of the greatest amount would sum up to: sums may cancel. */
  private static final double ERROR_OF_POINTS = 1e-14;

  private final Aggregators aggregators;
  private final List<String> levels;
  private final SeriesText names;
  private final VerifyBooks books;
  private final List<CoverageFloor> floors;
  private final @Nullable RollupInterval source;
  private final String level;

  /** What computed rollups are made of, for messages. */
  private final String maker;

  /** Of the metric of the series, by level: what begins before is not compared; seconds. */
  private final long[] belows;

  /** Of the metric of the series, by level: bits of the aggregators that it has. */
  private final int[] wanted;

  /** Bits of the aggregators whose values are known; of others that the metric has any will do. */
  private int made = -1;

  /** Whether the series has a rollup that is compared. */
  private boolean isCounted;

  /** Empty before the first record. */
  private byte[] key = NONE;

  /** Of the key; empty when there is none. */
  private byte[] computed = NONE;

  /** Of the key; empty when there is none. */
  private byte[] stored = NONE;

  /** Whether the key, or what it is made of, is stored in two salt buckets. */
  private boolean inTwoBuckets;

  /** Whether the packed rollup of the key was taken back; then it is not stored. */
  private boolean isTakenBack;

  /**
   * @param aggregators of the run
   * @param levels by number
   * @param names for samples
   * @param books receive the results
   * @param floors rollups below the floor of their metric, of the level of the source or of their
   *     own, are not compared
   * @param source interval of whose rollups the wider ones were made, so that sums have an error of
   *     1e-9 of their value; null if they were made of raw data
   */
  public Comparison(
      Aggregators aggregators,
      List<String> levels,
      SeriesText names,
      VerifyBooks books,
      List<CoverageFloor> floors,
      @Nullable RollupInterval source) {
    this.aggregators = aggregators;
    this.levels = levels;
    this.wanted = new int[levels.size()];
    this.names = names;
    this.books = books;
    this.floors = floors;
    this.belows = new long[levels.size()];
    this.source = source;
    this.level = source == null ? CoverageFloor.RAW : source.interval();
    this.maker = source == null ? "raw data" : "the rollups of " + level;
  }

  /**
   * Adds the next record.
   *
   * @param nextKey not less than the previous key
   * @throws IllegalStateException when the raw data have a key twice, which is a defect
   */
  public void add(byte[] nextKey, byte[] value) {
    if (!Arrays.equals(key, nextKey)) {
      finish();
      if (key.length == 0 || !VerifyRecord.sameSeries(key, nextKey)) {
        setMetric(VerifyRecord.tsuid(nextKey));
        isCounted = false;
      }
      key = nextKey;
    }
    if (VerifyRecord.isTakenBack(value)) {
      isTakenBack = true;
    } else if (VerifyRecord.isStored(value)) {
      inTwoBuckets |= stored.length > 0;
      stored = value;
    } else {
      if (computed.length > 0 && source != null) {
        inTwoBuckets = true;
      } else if (computed.length > 0) {
        throw new IllegalStateException("a rollup comes twice from the raw data: " + where());
      }
      computed = value;
    }
  }

  /** A metric without a name may be of any floor. */
  private void setMetric(byte[] tsuid) {
    Arrays.fill(belows, 0);
    boolean isNamed = !floors.isEmpty() || !aggregators.suite().isEmpty();
    String metric = isNamed ? names.metric(tsuid) : null;
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] = aggregators.ofMetric(metric, CoverageRows.interval(levels.get(i)));
    }
    if (source != null) {
      made = aggregators.made(aggregators.ofMetric(metric, source.interval()));
    }
    for (CoverageFloor floor : floors) {
      for (int i = 0; i < belows.length; i++) {
        String own = levels.get(i);
        // A floor of 1h is also one of 1h.packed.
        String ofTable = Level.isPacked(own) ? CoverageRows.interval(own) : own;
        boolean isOf = floor.level().equals(level) || floor.level().equals(ofTable);
        if (isOf && floor.before() > belows[i] && (metric == null || floor.wants(metric))) {
          belows[i] = floor.before();
        }
      }
    }
  }

  /** Ends the comparison of the last key. */
  public void finish() {
    if (computed.length == 0 && stored.length == 0) {
      isTakenBack = false;
      return;
    }
    long time = VerifyRecord.time(key);
    long begin = source == null ? time : source.baseTime(time);
    if (begin < belows[VerifyRecord.interval(key)]) {
      books.belowFloor(keyLevel());
    } else {
      compare();
    }
    computed = NONE;
    stored = NONE;
    inTwoBuckets = false;
    isTakenBack = false;
  }

  private void compare() {
    if (!isCounted) {
      books.series();
      isCounted = true;
    }
    if (computed.length > 0) {
      books.computed();
    }
    Verdict verdict = verdict();
    boolean isBeside = isHistogram() || Level.isPacked(keyLevel());
    if (isBeside && verdict != Verdict.EQUAL) {
      books.further(keyLevel(), List.of());
    } else if (verdict == Verdict.DIFFERENT) {
      countFurther();
    }
    if (books.add(keyLevel(), verdict)) {
      books.sample(verdict, where() + ": " + explain(verdict));
    }
  }

  private Verdict verdict() {
    if (computed.length == 0) {
      return Verdict.EXTRA;
    }
    if (stored.length == 0) {
      return Verdict.MISSING;
    }
    if (inTwoBuckets || VerifyRecord.isTwice(stored)) {
      return Verdict.DIFFERENT;
    }
    if (isHistogram()) {
      return VerifyRecord.isSameHistogram(computed, stored) ? Verdict.EQUAL : Verdict.DIFFERENT;
    }
    for (int i = 0; i < aggregators.size(); i++) {
      if (!isEqual(i)) {
        return Verdict.DIFFERENT;
      }
    }
    return Verdict.EQUAL;
  }

  /** If sum, min, max and count are equal, the books know which others are not. */
  private void countFurther() {
    List<String> wrong = new ArrayList<>();
    boolean isFour = inTwoBuckets || VerifyRecord.isTwice(stored);
    for (int i = 0; i < aggregators.size() && !isFour; i++) {
      if (!isEqual(i)) {
        isFour = i <= Aggregators.COUNT;
        wrong.add(Level.text(keyLevel(), aggregators.names().get(i)));
      }
    }
    if (!isFour) {
      books.further(keyLevel(), wrong);
    }
  }

  /**
   * Treats 0.0 and -0.0 as equal, because the TSD's sums lose the sign; and what the metric has not
   * as equal.
   */
  private boolean isEqual(int place) {
    if ((wanted[VerifyRecord.interval(key)] >> place & 1) == 0) {
      return true;
    }
    if (!VerifyRecord.has(stored, place)) {
      return false;
    }
    double is = VerifyRecord.get(stored, place);
    if (!isMade(place)) {
      return !Double.isNaN(is);
    }
    if (!VerifyRecord.has(computed, place)) {
      return false;
    }
    double of = VerifyRecord.get(computed, place);
    // Of an infinite sum and another one the difference is not less than the error allowed.
    return is == of
        || (source != null && place == Aggregators.SUM && Math.abs(is - of) < allowedError(is, of));
  }

  private boolean isMade(int place) {
    return (made >> place & 1) != 0;
  }

  private double allowedError(double is, double of) {
    double most = Math.max(Math.abs(made(Aggregators.MIN)), Math.abs(made(Aggregators.MAX)));
    double points = most * made(Aggregators.COUNT);
    return Math.max(
        RELATIVE_ERROR * Math.max(Math.abs(is), Math.abs(of)),
        Double.isFinite(points) ? ERROR_OF_POINTS * points : 0);
  }

  private double made(int place) {
    return VerifyRecord.get(computed, place);
  }

  private String keyLevel() {
    return levels.get(VerifyRecord.interval(key));
  }

  private boolean isHistogram() {
    return Level.isHistogram(keyLevel());
  }

  private String where() {
    return names.text(VerifyRecord.tsuid(key))
        + " "
        + keyLevel()
        + " "
        + Instant.ofEpochSecond(VerifyRecord.time(key));
  }

  private String explain(Verdict verdict) {
    if (verdict == Verdict.MISSING) {
      return (isTakenBack ? "it was taken back, " : "nothing is stored, ")
          + maker
          + " make "
          + values(computed);
    }
    if (verdict == Verdict.EXTRA) {
      return "stored is " + values(stored) + ", " + maker + " make nothing";
    }
    if (inTwoBuckets) {
      return "it is stored in two salt buckets, and a query takes it for two points; "
          + maker
          + " make "
          + values(computed);
    }
    if (VerifyRecord.isTwice(stored)) {
      return "a value is stored in two columns that differ, so that no query can be answered;"
          + " "
          + maker
          + " make "
          + values(computed);
    }
    if (isHistogram()) {
      return "stored is " + histogram(stored) + ", " + maker + " make " + histogram(computed);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < aggregators.size(); i++) {
      if (!isEqual(i)) {
        text.append(text.length() == 0 ? "" : ", ")
            .append(aggregators.names().get(i))
            .append(" is ")
            .append(VerifyRecord.has(stored, i) ? number(i, stored) : "not stored")
            .append(", ")
            .append(isMade(i) ? maker + " make " : "suite of rollup_config.json requires it")
            .append(
                !isMade(i) ? "" : VerifyRecord.has(computed, i) ? number(i, computed) : NOT_MADE);
      }
    }
    return text.toString();
  }

  private String values(byte[] value) {
    if (isHistogram()) {
      return histogram(value);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < aggregators.size(); i++) {
      if (VerifyRecord.has(value, i)) {
        text.append(text.length() == 0 ? "" : " ")
            .append(aggregators.names().get(i))
            .append('=')
            .append(number(i, value));
      }
    }
    return text.toString();
  }

  /** Equal texts can be of sketches whose buckets differ. */
  private String histogram(byte[] value) {
    int length = value.length - VerifyRecord.HISTOGRAM;
    String codec = aggregators.codecs().codec(VerifyRecord.codec(value));
    String text =
        "a histogram of %s bytes of %s"
            .formatted(
                length, codec == null ? "an unknown codec " + VerifyRecord.codec(value) : codec);
    if (!HistogramCodecs.SKETCH.equals(codec)) {
      return text;
    }
    try {
      Sketch sketch = Sketch.of(value, VerifyRecord.HISTOGRAM, length);
      return "a sketch of %s bytes with p50=%s p99=%s count=%s"
          .formatted(length, sketch.percentile(50), sketch.percentile(99), sketch.count());
    } catch (IllegalArgumentException e) {
      return text + ", which it refuses: " + e.getMessage();
    }
  }

  private static String number(int place, byte[] value) {
    double number = VerifyRecord.get(value, place);
    return place == Aggregators.COUNT && number == Math.rint(number)
        ? Long.toString((long) number)
        : Double.toString(number);
  }
}
