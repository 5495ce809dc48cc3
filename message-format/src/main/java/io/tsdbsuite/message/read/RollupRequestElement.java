package io.tsdbsuite.message.read;

import java.util.ArrayList;
import java.util.Collections;
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

  private RollupRequestElement(RollupRequestElement other, List<String> intervals) {
    super(other, other.tags(), other.timestamp());
    this.intervals = intervals;
    this.reason = other.reason;
  }

  /**
   * The same request with fewer intervals.
   *
   * @param remaining at least one of {@link #intervals}, each once
   */
  public RollupRequestElement with(List<String> remaining) {
    return new RollupRequestElement(this, Collections.unmodifiableList(new ArrayList<>(remaining)));
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
