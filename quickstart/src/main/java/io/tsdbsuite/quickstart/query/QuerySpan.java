package io.tsdbsuite.quickstart.query;

/**
 * The time and the series that a query asks for.
 *
 * @param text the name in tables
 * @param from first second, since the epoch, a whole hour
 * @param to last second, exclusive, a whole hour
 * @param host the only series' tag {@code host}; empty for all series
 */
public record QuerySpan(String text, long from, long to, String host) {
  /** All series over a range. */
  public static QuerySpan of(QueryRange range, long to) {
    return new QuerySpan(range.text(), range.from(to), to, "");
  }

  /** A part of the time, of the same series. */
  QuerySpan part(long start, long end) {
    return new QuerySpan(text, start, end, host);
  }
}
