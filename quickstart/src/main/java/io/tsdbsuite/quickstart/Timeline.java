package io.tsdbsuite.quickstart;

import java.time.Duration;
import java.time.Instant;

/**
 * The times of one run, seconds since the epoch, UTC.
 *
 * <pre>
 *   from                      streamFrom    late   present - 3d            completeTo   present
 *   |--- whole days ----------|--------------|---------|----------------------|-----------|
 *   | by bulk-loader, compacted rows         points through Kafka, single cells
 *   | rolled up by rollup-job                rolled up by stream-rollup
 *   |      | compared         |
 *   | in the coverage         |
 *   | queried, timed                                                    queried |
 *   | verified                               |         verified             |
 * </pre>
 *
 * @param from start of the data, midnight
 * @param streamFrom midnight; points before it are in no topic, points from it on are
 * @param late an hour that is rolled up, and gets a point then
 * @param completeTo end of the hours that stream-rollup has rolled up for certain when it has read
 *     the points up to the present
 */
record Timeline(long from, long streamFrom, long late, long completeTo) {
  private static final int HOUR = 3600;
  private static final int DAY = 86400;

  /**
   * The times of a run that begins now.
   *
   * @param begin start of the run
   * @param streamed how far back the points of Kafka reach at least, an hour or more
   * @param days whole days to compare, 1 or more
   */
  static Timeline at(Instant begin, Duration streamed, int days) {
    long now = begin.getEpochSecond();
    long before = now - streamed.toSeconds();
    long late = before - before % HOUR - HOUR;
    long streamFrom = late - late % DAY;
    return new Timeline(streamFrom - (long) days * DAY, streamFrom, late, now - now % HOUR - HOUR);
  }

  /** Whole days that are compared. */
  int days() {
    return (int) ((streamFrom - from) / DAY);
  }
}
