package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.job.page.Numbers;

/**
 * What rollup-query has read for a query.
 *
 * @param pieces as in the header X-Rollup-Query: {@code 1d:364 1h:20 raw:3600s}
 * @param cells cells of HBase; 0 if OpenTSDB's own code has read raw data
 */
public record PluginReading(String pieces, long cells) {
  private static final String FIRST = "0: ";
  private static final String RAW = "raw (";

  /** Takes the note of the first sub-query. */
  static PluginReading of(String note, long cells) {
    if (!note.startsWith(FIRST)) {
      throw new IllegalStateException("rollup-query must tell what it has read, found: " + note);
    }
    return new PluginReading(note.substring(FIRST.length()), cells);
  }

  /** The cells for tables. */
  public String cellsText() {
    return cells == 0 ? "not counted" : Numbers.grouped(cells);
  }

  /** Whether OpenTSDB's own code has read raw data alone. */
  public boolean isRaw() {
    return pieces.startsWith(RAW);
  }
}
