package io.tsdbsuite.query.shadow;

/** How often and how rollups are checked. Immutable. */
public final class ShadowSettings {
  private final long oneIn;
  private final long recheckMillis;
  private final long rawTtlMillis;

  /**
   * @param oneIn of how many sub-queries one is checked; 0: none
   * @param recheckMillis when a difference is looked at again: late points are masked by then
   * @param rawTtlMillis TTL of the data table; 0: points do not expire
   */
  public ShadowSettings(long oneIn, long recheckMillis, long rawTtlMillis) {
    this.oneIn = oneIn;
    this.recheckMillis = recheckMillis;
    this.rawTtlMillis = rawTtlMillis;
  }

  /** Of how many sub-queries one is checked; 0: none. */
  public long oneIn() {
    return oneIn;
  }

  /** When a difference is looked at again, milliseconds. */
  public long recheckMillis() {
    return recheckMillis;
  }

  /** TTL of the data table, milliseconds; 0: none is known. */
  public long rawTtlMillis() {
    return rawTtlMillis;
  }
}
