package io.tsdbsuite.ingest.store;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupRequestElement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to read and to write for one request: the buckets of its intervals that had ended when it
 * was written. The program that asks emits the others itself. Immutable.
 */
final class RepairPlan {
  static final int HOUR = 3600;
  static final int DAY = 86_400;

  /** Hours of a day. */
  static final int DAY_HOURS = DAY / HOUR;

  private final long hour;
  private final long endedBy;
  private final List<RollupTarget> ofHour = new ArrayList<>();
  private @Nullable RollupTarget ofDay;

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
    for (String interval : request.intervals()) {
      RollupTarget target = schema.target(interval);
      if (target.seconds() == DAY) {
        if (day() + DAY <= endedBy) {
          ofDay = target;
        }
      } else if (HOUR % target.seconds() != 0) {
        throw new BadMessageException(
            Reason.UNKNOWN_INTERVAL,
            "intervals must divide the hour or be a day, which can be computed from raw points,"
                + " found "
                + interval);
      } else if (hour + target.seconds() <= endedBy) {
        ofHour.add(target);
      }
    }
  }

  /** Whether none of the buckets had ended. */
  boolean isEmpty() {
    return ofHour.isEmpty() && ofDay == null;
  }

  /** The intervals within the hour that have a bucket that had ended. */
  List<RollupTarget> ofHour() {
    return ofHour;
  }

  /** The interval of the day; null if it is not requested or the day had not ended. */
  @Nullable RollupTarget ofDay() {
    return ofDay;
  }

  /** Start of the hour, seconds since the epoch. */
  long hour() {
    return hour;
  }

  /** Start of the day, seconds since the epoch, UTC. */
  long day() {
    return hour - hour % DAY;
  }

  /** Number of the interval's buckets in the hour that had ended: the first ones. */
  int ended(RollupTarget target) {
    return (int) ((Math.min(hour + HOUR, endedBy) - hour) / target.seconds());
  }

  /** Base time of the first row to read, seconds since the epoch. */
  long firstRow() {
    return ofDay == null ? hour : day();
  }

  /** Number of hours to read, from {@link #firstRow} on: each has one row in each salt bucket. */
  int hours() {
    return ofDay == null ? 1 : DAY_HOURS;
  }
}
