package io.tsdbsuite.message.read;

import java.util.List;

/**
 * {@code "type":"RollupRequest"}, version 1: the rollups of one series and hour must be computed
 * from the raw points. {@link #timestamp} is the start of the hour, seconds since the epoch.
 */
public final class RollupRequestElement extends SeriesElement {
  private final List<String> intervals;
  private final String reason;

  RollupRequestElement(ElementFields fields) throws BadMessageException {
    super(fields);
    fields.checkHour();
    this.intervals = fields.intervals();
    this.reason = fields.reason();
  }

  /**
   * Widths of the intervals, for example {@code 10m}, {@code 1h}, {@code 1d}: at least one, each
   * once; unmodifiable.
   */
  public List<String> intervals() {
    return intervals;
  }

  /** Why the rollups are requested, for example {@code late}; not empty. */
  public String reason() {
    return reason;
  }

  @Override
  public int points() {
    return intervals.size();
  }
}
