package io.tsdbsuite.query.plan;

import org.jspecify.annotations.Nullable;

/** The times of a sub-query, milliseconds since the epoch. Immutable. */
public final class QueryTimes {
  private static final long HOUR = 3_600_000;

  private final long queryStart;
  private final long queryEnd;
  private final long from;
  private final long rollupsTo;
  private final long to;

  /**
   * @param queryStart of the query
   * @param queryEnd of the query
   * @param from first time that OpenTSDB scans for raw data
   * @param rollupsTo from here on raw data is read
   * @param to end of the times that OpenTSDB scans
   */
  public QueryTimes(long queryStart, long queryEnd, long from, long rollupsTo, long to) {
    this.queryStart = queryStart;
    this.queryEnd = queryEnd;
    this.from = from;
    this.rollupsTo = rollupsTo;
    this.to = to;
  }

  /**
   * The same query whose bounds are rounded outwards to a width, milliseconds; a row after its end
   * follows the new one.
   */
  public QueryTimes rounded(long width) {
    long end = -Math.floorDiv(-rollupsTo, width) * width;
    return new QueryTimes(
        queryStart, queryEnd, Math.floorDiv(from, width) * width, end, end + to - rollupsTo);
  }

  /**
   * The times of {@code 0all} if the bounds of the query are rounded inwards to a width,
   * milliseconds; null if nothing is left.
   */
  public @Nullable QueryTimes within(long width) {
    long start = -Math.floorDiv(-queryStart, width) * width;
    long end = Math.floorDiv(queryEnd, width) * width;
    long readEnd = (Math.floorDiv(end, HOUR) + 1) * HOUR;
    return start < end
        ? new QueryTimes(
            start, end, Math.floorDiv(start, HOUR) * HOUR, readEnd, readEnd + to - rollupsTo)
        : null;
  }

  /** Start of the query. */
  long queryStart() {
    return queryStart;
  }

  /** End of the query. */
  long queryEnd() {
    return queryEnd;
  }

  /** First time that is read. */
  public long from() {
    return from;
  }

  /** From here on raw data is read. */
  long rollupsTo() {
    return rollupsTo;
  }

  /** End of the times that are read. */
  public long to() {
    return to;
  }

  /** First time that is read, seconds. */
  public long startSeconds() {
    return from / 1000;
  }

  /** From here on raw data is read, seconds. */
  public long endSeconds() {
    return rollupsTo / 1000;
  }
}
