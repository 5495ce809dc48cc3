package io.tsdbsuite.query.run;

/** What one query may use. Zero means no limit. */
public final class QueryLimits {
  /** No limits. */
  public static final QueryLimits NONE = new QueryLimits(0, 0, 0);

  private final long cells;
  private final long bytes;
  private final long millis;

  /**
   * Creates limits.
   *
   * @param cells cells that the query may read
   * @param bytes heap that the query may hold
   * @param millis time until its answer
   */
  public QueryLimits(long cells, long bytes, long millis) {
    this.cells = cells;
    this.bytes = bytes;
    this.millis = millis;
  }

  /** Whether a query may read so many cells and hold so much heap, bytes. */
  public boolean allow(long readCells, long heldBytes) {
    return (cells == 0 || readCells <= cells) && (bytes == 0 || heldBytes <= bytes);
  }

  /** Cells that the query may read. */
  public long cells() {
    return cells;
  }

  /** Heap that the query may hold, bytes. */
  public long bytes() {
    return bytes;
  }

  /** Time until the answer, milliseconds. */
  public long millis() {
    return millis;
  }
}
