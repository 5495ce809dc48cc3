package io.tsdbsuite.meta.write;

/** What the meta table still is to get of a series that is not in the cache; immutable. */
final class OwedSeries {
  private final byte[] tsuid;
  private final long points;
  private final boolean tsMeta;

  OwedSeries(byte[] tsuid, long points, boolean tsMeta) {
    this.tsuid = tsuid;
    this.points = points;
    this.tsMeta = tsMeta;
  }

  OwedSeries plus(OwedSeries other) {
    return new OwedSeries(tsuid, points + other.points, tsMeta || other.tsMeta);
  }

  byte[] tsuid() {
    return tsuid;
  }

  /** Points that were counted; 0 if only the TSMeta is owed. */
  long points() {
    return points;
  }

  /** Whether its counter is written and its TSMeta is not. */
  boolean tsMeta() {
    return tsMeta;
  }
}
