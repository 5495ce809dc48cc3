package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.histogram.BucketHistogram;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.HistogramException;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.row.DuplicateConflictException;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowHistograms;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.write.RollupValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hbase.async.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Computes the rollups of one request, for its hour or several ones, from rows of raw points, as
 * rollup-job does: every bucket is computed from its points, in time order, and never from narrower
 * rollups. Not thread-safe; for one request.
 */
final class RepairSums {
  private static final int MILLIS = 1000;

  /** A bucket. */
  static final class Bucket {
    final RollupTarget target;

    /** Start, seconds since the epoch. */
    final long start;

    /** The further aggregators. */
    final List<String> names;

    private final PointSummary points = new PointSummary();

    /** Null if the rollup has no histogram, and when it has its bytes. */
    private @Nullable BucketHistogram histogram;

    /** Set when all points were added. */
    final RollupValues rollup = new RollupValues();

    Bucket(
        RollupTarget target, long start, List<String> names, @Nullable BucketHistogram histogram) {
      this.histogram = histogram;
      this.target = target;
      this.start = start;
      this.names = names;
    }

    /** Number of values of the rollup; 0 of a histogram alone. */
    int values() {
      return rollup.hasValues() ? 4 + rollup.names().size() : 0;
    }

    /** Seconds since the epoch. */
    long end() {
      return start + target.interval.seconds();
    }
  }

  private final RepairPlan plan;
  private final Collection<Long> written;
  private final RowMerger merger;
  private final List<Bucket> buckets = new ArrayList<>();

  /** Buckets above an hour. */
  private final List<Bucket> ofHours = new ArrayList<>();

  /** Those without points and histogram cells. */
  private final List<Bucket> empty = new ArrayList<>();

  /** Those whose histogram is too wide, or lacks points beside histogram cells. */
  private final List<Bucket> odd = new ArrayList<>();

  private int hours;

  private final String metric;
  private final Selection selection;
  private final HistogramCodecs codecs;
  private final RowHistograms cells = new RowHistograms();

  /** Of a bucket of an hour, which has all of its points at once. */
  private final BucketHistogram ofHour;

  /** Bytes of histograms in rollups. */
  private long histogramBytes;

  private final int maxKept;

  /** The values of hours in buckets above an hour with further aggregators, in time order. */
  private double[] kept = {};

  /** Number of values kept before each hour, and of all. */
  private final int[] keptBefore;

  /**
   * Creates sums of nothing.
   *
   * @param written the hours whose rollups are computed: {@link RepairPlan#hour}, and others of
   *     {@link RepairPlan#repairable}
   * @param metric for messages
   * @param selection of the metric
   * @param codecs of its histograms
   * @param maxBytes maximum of {@link #bytes}
   */
  RepairSums(
      RepairPlan plan,
      Collection<Long> written,
      StorageSchema schema,
      String metric,
      Selection selection,
      HistogramCodecs codecs,
      long maxBytes) {
    this.codecs = codecs;
    this.ofHour = new BucketHistogram(codecs);
    this.metric = metric;
    this.selection = selection;
    this.maxKept = Math.toIntExact(maxBytes / (2 * Double.BYTES));
    this.keptBefore = new int[plan.hours() + 1];
    this.plan = plan;
    this.written = written;
    this.merger = new RowMerger(schema);
    for (RollupTarget target : plan.ofHours()) {
      Set<Long> starts = new TreeSet<>();
      for (long hour : written) {
        starts.add(RepairPlan.start(target, hour));
      }
      for (long start : starts) {
        ofHours.add(bucket(target, start));
      }
    }
    if (Stream.concat(plan.ofHour().stream(), plan.ofHours().stream())
        .anyMatch(target -> selection.histogram(target.interval.interval()))) {
      merger.receive(cells);
    }
  }

  private Bucket bucket(RollupTarget target, long start) {
    String interval = target.interval.interval();
    return new Bucket(
        target,
        start,
        selection.aggregators(interval),
        !selection.histogram(interval)
            ? null
            : plan.ofHour().contains(target) ? ofHour : new BucketHistogram(codecs));
  }

  /**
   * Adds the points of the next hour of the plan.
   *
   * @param rows its rows, one of each salt bucket: a row that does not exist has no cells
   * @throws BadMessageException when a row is corrupt or the rows have conflicting duplicates, a
   *     value is not finite, a histogram cannot be merged, or there are too many points: then none
   *     of the rollups may be written
   */
  void add(List<? extends List<KeyValue>> rows) throws BadMessageException {
    long base = plan.firstRow() + (long) hours * RepairPlan.HOUR;
    hours++;
    PointBuffer points = merge(base, rows);
    keptBefore[hours] = keptBefore[hours - 1];
    for (Bucket bucket : ofHours) {
      if (base >= bucket.start && base < bucket.end()) {
        bucket.points.addAll(points, 0, points.size());
        addHistogram(bucket, base, points, 0, points.size());
        if (!bucket.names.isEmpty() && keptBefore[hours] == keptBefore[hours - 1]) {
          keep(points);
        }
      }
    }
    if (written.contains(base)) {
      for (RollupTarget target : plan.ofHour()) {
        addHour(target, base, points);
      }
    }
  }

  private void keep(PointBuffer points) throws BadMessageException {
    int before = keptBefore[hours];
    int size = points.size();
    if (size > maxKept - before) {
      throw new BadMessageException(
          Reason.TOO_LARGE,
          String.format(
              "the points of metric %s for percentiles, first and last of all buckets above 1h of a"
                  + " request must be at most %s, found %s or more",
              metric, maxKept, (long) before + size));
    }
    if (before + size > kept.length) {
      kept = Arrays.copyOf(kept, Math.max(before + size, Math.min(maxKept, 2 * kept.length)));
    }
    System.arraycopy(points.doubles(), 0, kept, before, size);
    keptBefore[hours] = before + size;
  }

  /**
   * The memory of values that are kept for the next hours, and of a sorted copy, and of histograms,
   * bytes.
   */
  long bytes() {
    long bytes = 2L * Double.BYTES * kept.length + histogramBytes;
    for (Bucket bucket : ofHours) {
      bytes += bucket.histogram == null ? 0 : bucket.histogram.memory();
    }
    return bytes;
  }

  /** The bytes of the histograms of {@link #buckets}. */
  long histogramBytes() {
    return histogramBytes;
  }

  /** Number of hours added. */
  int hours() {
    return hours;
  }

  /** Adds points and histogram cells of an hour to the histogram of a bucket, if it has one. */
  private void addHistogram(Bucket bucket, long base, PointBuffer points, int from, int to)
      throws BadMessageException {
    BucketHistogram histogram = bucket.histogram;
    if (histogram == null) {
      return;
    }
    if (bucket.points.count() > 0 && !bucket.points.isFinite()) {
      throw notFinite(bucket, "sum", bucket.points.sum());
    }
    histogram.addPoints(points.doubles(), from, to);
    for (int i = 0; i < cells.size(); i++) {
      long time = base * MILLIS + cells.offsetMillis(i);
      if (time >= bucket.start * MILLIS && time < bucket.end() * MILLIS) {
        try {
          histogram.addCell(cells, i);
        } catch (HistogramException e) {
          throw new BadMessageException(
              e.isUnknownCodec() ? Reason.UNKNOWN_CODEC : Reason.CORRUPT_CELL,
              String.format(
                  "the histogram at millisecond %s of the row of raw points of %s must be"
                      + " mergeable, found: %s",
                  cells.offsetMillis(i), base, e.getMessage()));
        }
      }
    }
  }

  /**
   * The buckets with points or histograms, after all hours of the plan were added.
   *
   * @throws BadMessageException when a value of a bucket above an hour is not finite
   */
  List<Bucket> buckets() throws BadMessageException {
    for (Bucket bucket : ofHours) {
      int hour = (int) (bucket.start - plan.firstRow()) / RepairPlan.HOUR;
      int hoursOf = (int) bucket.target.interval.seconds() / RepairPlan.HOUR;
      add(bucket, kept, keptBefore[hour], keptBefore[hour + hoursOf]);
    }
    kept = new double[0];
    return buckets;
  }

  /** Whether all of an hour's buckets have points or histograms, after {@link #buckets}. */
  boolean isFull(long hour) {
    return !isIn(empty, hour);
  }

  /** The number of buckets whose histogram is too wide, or lacks points beside histogram cells. */
  int odd() {
    return odd.size();
  }

  /** Whether an hour is in one of the {@link #odd} buckets. */
  boolean isOdd(long hour) {
    return isIn(odd, hour);
  }

  private static boolean isIn(List<Bucket> buckets, long hour) {
    for (Bucket bucket : buckets) {
      if (bucket.start < hour + RepairPlan.HOUR && bucket.end() > hour) {
        return true;
      }
    }
    return false;
  }

  /** Merges the rows of an hour as if they were one row. */
  private PointBuffer merge(long base, List<? extends List<KeyValue>> rows)
      throws BadMessageException {
    merger.reset();
    try {
      for (List<KeyValue> cells : rows) {
        for (KeyValue cell : cells) {
          byte[] qualifier = cell.qualifier();
          byte[] value = cell.value();
          merger.add(qualifier, 0, qualifier.length, value, 0, value.length, cell.timestamp());
        }
      }
      cells.sort();
      return merger.merge();
    } catch (RowException e) {
      throw new BadMessageException(
          e instanceof DuplicateConflictException
              ? Reason.CONFLICTING_DUPLICATES
              : Reason.CORRUPT_CELL,
          "the row of raw points of " + base + " must be readable, found " + e.getMessage());
    }
  }

  private void addHour(RollupTarget target, long hour, PointBuffer points)
      throws BadMessageException {
    int from = 0;
    for (int i = 0, ended = plan.ended(target); i < ended; i++) {
      long end = (i + 1) * target.interval.seconds() * MILLIS;
      int to = from;
      while (to < points.size() && points.offsetMillis(to) < end) {
        to++;
      }
      Bucket bucket = bucket(target, hour + i * target.interval.seconds());
      bucket.points.addAll(points, from, to);
      addHistogram(bucket, hour, points, from, to);
      add(bucket, points.doubles(), from, to);
      from = to;
    }
  }

  /**
   * Adds a bucket with all of its points.
   *
   * @param values from {@code from} to {@code to - 1}: those of its points in time order, if it has
   *     further aggregators
   */
  private void add(Bucket bucket, double[] values, int from, int to) throws BadMessageException {
    PointSummary points = bucket.points;
    BucketHistogram histogram = bucket.histogram;
    boolean hasHistogram = histogram != null && !histogram.isEmpty();
    if (points.count() == 0 && !hasHistogram) {
      empty.add(bucket);
      return;
    }
    if (points.count() > 0) {
      if (!points.isFinite()) {
        throw notFinite(bucket, "sum", points.sum());
      }
      bucket.rollup.set(points.sum(), points.min(), points.max(), points.count());
      if (!bucket.names.isEmpty()) {
        addFurther(bucket, values, from, to);
      }
    }
    if (histogram != null && hasHistogram) {
      byte[] bytes = histogram.bytes();
      if (bytes != null) {
        bucket.rollup.histogram(histogram.codec(), bytes);
        histogramBytes += bytes.length;
      }
      if (bytes == null || histogram.isMixed()) {
        odd.add(bucket);
      }
      histogram.clear();
      bucket.histogram = null;
    }
    if (!bucket.rollup.isDeletion()) {
      buckets.add(bucket);
    }
  }

  private static void addFurther(Bucket bucket, double[] values, int from, int to)
      throws BadMessageException {
    double[] numbers = new double[to - from];
    int size = 0;
    for (int i = from; i < to; i++) {
      if (!Double.isNaN(values[i])) {
        numbers[size++] = values[i];
      }
    }
    double[] further = new double[bucket.names.size()];
    Percentiles.further(bucket.names, numbers, 0, size, further, 0);
    bucket.rollup.further(bucket.names);
    for (int i = 0; i < further.length; i++) {
      if (Double.isInfinite(further[i])) {
        throw notFinite(bucket, bucket.names.get(i), further[i]);
      }
      bucket.rollup.further(i, further[i]);
    }
  }

  private static BadMessageException notFinite(Bucket bucket, String name, double value) {
    return new BadMessageException(
        Reason.NOT_FINITE,
        String.format(
            "the %s of %s from %s must be finite, which no TSD stores otherwise, found %s",
            name, bucket.target.interval.interval(), bucket.start, value));
  }
}
