package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.row.DuplicateConflictException;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hbase.async.KeyValue;

/**
 * Computes the rollups of one request, for its hour or several ones, from rows of raw points, as
 * rollup-job does: every bucket is summed up from its points, left to right, and never from
 * narrower rollups. Not thread-safe; for one request.
 */
final class RepairSums {
  private static final int MILLIS = 1000;

  /** A bucket. */
  static final class Bucket {
    final RollupTarget target;

    /** Start, seconds since the epoch. */
    final long start;

    final PointSummary values;

    Bucket(RollupTarget target, long start, PointSummary values) {
      this.target = target;
      this.start = start;
      this.values = values;
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

  /** Those without points. */
  private final List<Bucket> empty = new ArrayList<>();

  private int hours;

  /**
   * Creates sums of nothing.
   *
   * @param written the hours whose rollups are computed: {@link RepairPlan#hour}, and others of
   *     {@link RepairPlan#repairable}
   */
  RepairSums(RepairPlan plan, Collection<Long> written, StorageSchema schema) {
    this.plan = plan;
    this.written = written;
    this.merger = new RowMerger(schema);
    for (RollupTarget target : plan.ofHours()) {
      Set<Long> starts = new TreeSet<>();
      for (long hour : written) {
        starts.add(RepairPlan.start(target, hour));
      }
      for (long start : starts) {
        ofHours.add(new Bucket(target, start, new PointSummary()));
      }
    }
  }

  /**
   * Adds the points of the next hour of the plan.
   *
   * @param rows its rows, one of each salt bucket: a row that does not exist has no cells
   * @throws BadMessageException when a row is corrupt or the rows have conflicting duplicates, or a
   *     sum is not finite: then none of the rollups may be written
   */
  void add(List<? extends List<KeyValue>> rows) throws BadMessageException {
    long base = plan.firstRow() + (long) hours * RepairPlan.HOUR;
    hours++;
    PointBuffer points = merge(base, rows);
    for (Bucket bucket : ofHours) {
      if (base >= bucket.start && base < bucket.end()) {
        bucket.values.addAll(points, 0, points.size());
      }
    }
    if (written.contains(base)) {
      for (RollupTarget target : plan.ofHour()) {
        addHour(target, base, points);
      }
    }
  }

  /** Number of hours added. */
  int hours() {
    return hours;
  }

  /**
   * The buckets with points, after all hours of the plan were added.
   *
   * @throws BadMessageException when the sum of a bucket above an hour is not finite
   */
  List<Bucket> buckets() throws BadMessageException {
    for (Bucket bucket : ofHours) {
      add(bucket);
    }
    return buckets;
  }

  /** Whether all of an hour's buckets have points, after {@link #buckets}. */
  boolean isFull(long hour) {
    for (Bucket bucket : empty) {
      if (bucket.start < hour + RepairPlan.HOUR && bucket.end() > hour) {
        return false;
      }
    }
    return true;
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
      PointSummary values = new PointSummary();
      values.addAll(points, from, to);
      add(new Bucket(target, hour + i * target.interval.seconds(), values));
      from = to;
    }
  }

  private void add(Bucket bucket) throws BadMessageException {
    if (bucket.values.count() == 0) {
      empty.add(bucket);
      return;
    }
    if (!bucket.values.isFinite()) {
      throw new BadMessageException(
          Reason.NOT_FINITE,
          String.format(
              "the sum of %s from %s must be finite, which no TSD stores otherwise, found %s",
              bucket.target.interval.interval(), bucket.start, bucket.values.sum()));
    }
    buckets.add(bucket);
  }
}
