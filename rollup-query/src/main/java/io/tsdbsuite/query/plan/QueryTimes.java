package io.tsdbsuite.query.plan;

/** The times of a sub-query, milliseconds since the epoch. Immutable. */
public final class QueryTimes {
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

  /** Start of the query. */
  long queryStart() {
    return queryStart;
  }

  /** End of the query. */
  long queryEnd() {
    return queryEnd;
  }

  /** First time that is read. */
  long from() {
    return from;
  }

  /** From here on raw data is read. */
  long rollupsTo() {
    return rollupsTo;
  }

  /** End of the times that are read. */
  long to() {
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
