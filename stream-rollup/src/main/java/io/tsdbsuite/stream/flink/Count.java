package io.tsdbsuite.stream.flink;

/** The counts of the books. */
public enum Count {
  /** Elements of messages. */
  CONSUMED(0, "consumed"),
  /** Points and native histograms added to their buckets. */
  AGGREGATED(1, "aggregated"),
  /** Points that another one of the same instant replaced. */
  REPLACED(2, "replaced"),
  /** Points older than the slack, or out of order among very many. */
  LATE(3, "late"),
  /** Points further ahead of their message than the slack. */
  AHEAD(4, "ahead"),
  /** Elements that break a rule of the message format. */
  BAD(5, "bad"),
  /** Points that are NaN or infinite. */
  NOT_FINITE(6, "notFinite"),
  /** Elements that are neither points nor histograms that {@code suite} selects. */
  OTHER(7, "other"),
  /** Points that wait in the order of time. */
  HELD(8, "held"),
  /** Buckets that were closed. */
  CLOSED(9, "closed"),
  /** Buckets that were emitted. */
  EMITTED(10, "emitted"),
  /**
   * Buckets left to repair for late, early or contradicting points, or a sum that is not finite.
   */
  DIRTY(11, "dirty"),
  /** Buckets left to repair because not all of their messages were read. */
  INCOMPLETE(12, "incomplete"),
  /** Requests to repair buckets of one series and hour. */
  REQUESTED(13, "requested"),
  /**
   * Requests that found no room, one for each late point and bucket; the nightly run of rollup-job
   * repairs the buckets.
   */
  NOT_REQUESTED(14, "notRequested"),
  /** Messages that Kafka deleted before they were read. */
  MISSED(15, "missed"),
  /** Series with a state. A checkpoint from before this count starts it at 0. */
  SERIES(16, "series"),
  /** Messages whose time is wrong, see {@link RecordTimes}. */
  WRONG_TIMES(17, "wrongTimes"),
  /**
   * Emitted buckets without all further values and the histogram that {@code suite} selects. The
   * nightly run of rollup-job makes them.
   */
  MORE_DROPPED(18, "moreDropped"),
  /**
   * Buckets of native histograms alone that cannot be added up here and were not emitted. The
   * nightly run of rollup-job makes them.
   */
  HISTOGRAMS_LEFT(19, "histogramsLeft");

  private final int place;
  private final String key;

  Count(int place, String key) {
    this.place = place;
    this.key = key;
  }

  /** Its place in the state, part of the format. */
  int place() {
    return place;
  }

  /** The name in reports and metrics. */
  public String key() {
    return key;
  }
}
