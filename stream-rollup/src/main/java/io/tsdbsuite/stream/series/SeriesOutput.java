package io.tsdbsuite.stream.series;

import io.tsdbsuite.message.write.RollupValues;

/** Receives what a series emits. The names are valid until the call returns. */
public interface SeriesOutput {
  /**
   * A complete bucket.
   *
   * @param names encoded by {@link SeriesNames}, in {@code namesLength} bytes from {@code
   *     namesOffset} on
   * @param start start of the bucket, seconds since the epoch
   * @param values at least one point, finite, or a histogram alone; valid until the call returns
   */
  void rollup(
      byte[] names, int namesOffset, int namesLength, int interval, int start, RollupValues values);

  /**
   * Buckets that must be computed from the raw data.
   *
   * @param hour start of the hour, seconds since the epoch
   * @param intervals a bit for each interval
   */
  void request(
      byte[] names,
      int namesOffset,
      int namesLength,
      int hour,
      int intervals,
      RequestReason reason);

  /**
   * Buckets that have not ended and will be left to repair, since a point was ahead of its message.
   * It is told at once, so that a job whose state is lost can be followed by one that knows it.
   *
   * @param hour start of the hour, seconds since the epoch
   * @param intervals a bit for each interval
   */
  void ahead(byte[] names, int namesOffset, int namesLength, int hour, int intervals);

  /** Number of points and histograms that left the order of time, added to their buckets. */
  void aggregated(int points);

  /**
   * A bucket left the state. Told apart from what became of it, so that the two counts can be
   * compared.
   */
  void closed();

  /** A bucket was emitted. */
  void emitted();

  /** The emitted bucket lacks further values or a histogram that {@code suite} selects. */
  void moreDropped();

  /** A bucket of native histograms alone, which cannot be added up here, was not emitted. */
  void histogramsLeft();

  /** A bucket is left to repair. */
  void dirty(RequestReason reason);

  /** A request found no room in the state of its series; the nightly run repairs its buckets. */
  void requestDropped();
}
