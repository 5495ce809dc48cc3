package io.tsdbsuite.ingest.store;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupRequestElement;
import java.util.ArrayList;
import java.util.List;

/**
 * What to read and to write for one request: the buckets of its intervals that had ended when it
 * was written. The program that asks emits the others itself. Immutable.
 */
final class RepairPlan {
  static final int HOUR = 3600;

  private final long hour;
  private final long endedBy;
  private final List<RollupTarget> ofHour = new ArrayList<>();
  private final List<RollupTarget> ofHours = new ArrayList<>();

  /** Those whose bucket, or first bucket, had not ended: they are left to later requests. */
  private final List<RollupTarget> left = new ArrayList<>();

  private long firstRow;
  private long end;

  /**
   * Makes the plan of a request.
   *
   * @param requestedAt when the request was written, milliseconds since the epoch
   * @throws BadMessageException when one of the intervals is not configured, or cannot be computed
   *     from rows of raw points
   */
  RepairPlan(RollupRequestElement request, RollupSchema schema, long requestedAt)
      throws BadMessageException {
    this.hour = request.timestamp();
    this.endedBy = Math.floorDiv(requestedAt, 1000L);
    this.firstRow = hour;
    this.end = hour + HOUR;
    for (String interval : request.intervals()) {
      add(schema.target(interval));
    }
  }

  private void add(RollupTarget target) throws BadMessageException {
    if (!target.interval.dividesHourOrDay()) {
      throw new BadMessageException(
          Reason.UNKNOWN_INTERVAL,
          "intervals must divide the hour, or be whole hours that divide the day, which can be"
              + " computed from raw points, found "
              + target.interval.interval());
    }
    long ends = start(target, hour) + target.interval.seconds();
    if (ends > endedBy) {
      left.add(target);
      return;
    }
    if (target.interval.seconds() <= HOUR) {
      ofHour.add(target);
    } else {
      ofHours.add(target);
      // The bucket of 8h need not contain that of 6h.
      firstRow = Math.min(firstRow, start(target, hour));
      end = Math.max(end, ends);
    }
  }

  /**
   * Until when masks may have been written that the repair of all intervals removes: the windows of
   * buckets that had not ended are as of a time after their end, and void these masks by
   * themselves. None are removed of an hour that had not ended.
   *
   * @return milliseconds since the epoch
   */
  long removesUntil() {
    if (hour + HOUR > endedBy) {
      return Long.MIN_VALUE;
    }
    long until = Long.MAX_VALUE;
    for (RollupTarget target : left) {
      until = Math.min(until, (start(target, hour) + target.interval.seconds()) * 1000);
    }
    return until;
  }

  /**
   * The hours whose buckets the plan reads as a whole, except those that are left: these contain
   * the hour of the request, too. So all of their rollups can be written.
   *
   * @return their starts, seconds since the epoch; with {@link #hour}
   */
  List<Long> repairable() {
    List<Long> all = new ArrayList<>();
    for (long each = firstRow; each < end; each += HOUR) {
      if (isRepairable(each)) {
        all.add(each);
      }
    }
    return all;
  }

  private boolean isRepairable(long each) {
    for (RollupTarget target : ofHours) {
      long start = start(target, each);
      if (start < firstRow || start + target.interval.seconds() > end) {
        return false;
      }
    }
    for (RollupTarget target : left) {
      if (start(target, each) != start(target, hour)) {
        return false;
      }
    }
    return true;
  }

  /** Whether none of the buckets had ended. */
  boolean isEmpty() {
    return ofHour.isEmpty() && ofHours.isEmpty();
  }

  /** The intervals within the hour that have a bucket that had ended. */
  List<RollupTarget> ofHour() {
    return ofHour;
  }

  /** The intervals above an hour whose bucket that contains the hour had ended. */
  List<RollupTarget> ofHours() {
    return ofHours;
  }

  /** Start of the hour, seconds since the epoch. */
  long hour() {
    return hour;
  }

  /** Start of the interval's first bucket in an hour, or of that which contains it, seconds. */
  static long start(RollupTarget target, long ofHour) {
    return ofHour - ofHour % target.interval.seconds();
  }

  /** Number of the interval's buckets in the hour that had ended: the first ones. */
  int ended(RollupTarget target) {
    return (int) ((Math.min(hour + HOUR, endedBy) - hour) / target.interval.seconds());
  }

  /** Base time of the first row to read, seconds since the epoch. */
  long firstRow() {
    return firstRow;
  }

  /** Start of the last hour to read, seconds since the epoch. */
  long lastHour() {
    return end - HOUR;
  }

  /** Number of hours to read, from {@link #firstRow} on: each has one row in each salt bucket. */
  int hours() {
    return (int) (end - firstRow) / HOUR;
  }
}
