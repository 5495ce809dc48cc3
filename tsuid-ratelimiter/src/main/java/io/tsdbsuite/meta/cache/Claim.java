package io.tsdbsuite.meta.cache;

/**
 * A series whose meta is being written, with its points; from {@link SeriesCache#claim}. No other
 * caller can claim the series until it is settled or given back.
 */
public final class Claim {
  private final byte[] tsuid;
  private final long points;
  private final boolean known;
  private final boolean counted;

  Claim(byte[] tsuid, long points, boolean known, boolean counted) {
    this.tsuid = tsuid;
    this.points = points;
    this.known = known;
    this.counted = counted;
  }

  /** The TSUID; callers must not change the array. */
  public byte[] tsuid() {
    return tsuid;
  }

  /** Points since the last claim, 0 or more; always 0 if points are not counted. */
  public long points() {
    return points;
  }

  /** The mark of the last {@link SeriesCache#settle}; false before the first. */
  public boolean known() {
    return known;
  }

  /** The mark of the last {@link SeriesCache#settle}; false before the first. */
  public boolean counted() {
    return counted;
  }
}
