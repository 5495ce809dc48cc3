package io.tsdbsuite.meta.write;

/** The outstanding write of a series that is not in the cache; immutable. */
final class OwedSeries {
  private final byte[] tsuid;
  private final long points;
  private final boolean counter;
  private final boolean tsMeta;

  private OwedSeries(byte[] tsuid, long points, boolean counter, boolean tsMeta) {
    this.tsuid = tsuid;
    this.points = points;
    this.counter = counter;
    this.tsMeta = tsMeta;
  }

  /** Its counter is outstanding, in mode {@code count} with those points. */
  static OwedSeries counter(byte[] tsuid, long points) {
    return new OwedSeries(tsuid, points, true, false);
  }

  /** Its TSMeta is outstanding, its counter is written. */
  static OwedSeries tsMeta(byte[] tsuid) {
    return new OwedSeries(tsuid, 0, false, true);
  }

  /**
   * One that left the cache with unclaimed points, or while it was owed.
   *
   * @param counting whether the mode is {@code count}, in which a series without points is owed its
   *     TSMeta only
   */
  static OwedSeries removed(byte[] tsuid, long points, boolean counting) {
    return counting && points == 0 ? tsMeta(tsuid) : counter(tsuid, points);
  }

  OwedSeries plus(OwedSeries other) {
    return new OwedSeries(
        tsuid, points + other.points, counter || other.counter, tsMeta || other.tsMeta);
  }

  byte[] tsuid() {
    return tsuid;
  }

  /** Points that were counted; 0 if only the TSMeta is owed, and in mode {@code track}. */
  long points() {
    return points;
  }

  /** Whether its counter is to be written. */
  boolean counter() {
    return counter;
  }

  /** Whether its TSMeta is known to be missing. */
  boolean tsMeta() {
    return tsMeta;
  }
}
