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
import java.util.List;
import org.hbase.async.KeyValue;

/**
 * Computes the rollups of one request from rows of raw points, as rollup-job does: every bucket is
 * summed up from its points, left to right, and never from narrower rollups. Not thread-safe; for
 * one request.
 */
final class RepairSums {
  private static final int MILLIS = 1000;

  /** A bucket with at least one point. Immutable. */
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
  }

  private final RepairPlan plan;
  private final RowMerger merger;
  private final List<Bucket> buckets = new ArrayList<>();

  /** By {@link RepairPlan#ofHours}. */
  private final List<PointSummary> ofHours = new ArrayList<>();

  private int hours;

  RepairSums(RepairPlan plan, StorageSchema schema) {
    this.plan = plan;
    this.merger = new RowMerger(schema);
    for (int i = 0; i < plan.ofHours().size(); i++) {
      ofHours.add(new PointSummary());
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
    for (int i = 0; i < ofHours.size(); i++) {
      RollupTarget target = plan.ofHours().get(i);
      long start = plan.start(target);
      if (base >= start && base < start + target.seconds()) {
        ofHours.get(i).addAll(points, 0, points.size());
      }
    }
    if (base == plan.hour()) {
      for (RollupTarget target : plan.ofHour()) {
        addHour(target, points);
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
    for (int i = 0; i < ofHours.size(); i++) {
      RollupTarget target = plan.ofHours().get(i);
      add(target, plan.start(target), ofHours.get(i));
    }
    return buckets;
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

  private void addHour(RollupTarget target, PointBuffer points) throws BadMessageException {
    int from = 0;
    for (int i = 0, ended = plan.ended(target); i < ended; i++) {
      long end = (i + 1) * target.seconds() * MILLIS;
      int to = from;
      while (to < points.size() && points.offsetMillis(to) < end) {
        to++;
      }
      PointSummary values = new PointSummary();
      values.addAll(points, from, to);
      add(target, plan.hour() + i * target.seconds(), values);
      from = to;
    }
  }

  private void add(RollupTarget target, long start, PointSummary values)
      throws BadMessageException {
    if (values.count() == 0) {
      return;
    }
    if (!values.isFinite()) {
      throw new BadMessageException(
          Reason.NOT_FINITE,
          "the sum of "
              + target.name()
              + " from "
              + start
              + " must be finite, which no TSD stores otherwise, found "
              + values.sum());
    }
    buckets.add(new Bucket(target, start, values));
  }
}
