package io.tsdbsuite.rollup.verify;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Books of reading snapshots of rollup tables. Not thread-safe. */
public final class StoredBooks implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int SAMPLES = 20;

  private final List<String> problems = new ArrayList<>();
  private long rows;
  private long sourceRows;
  private long cells;
  private long otherAggregates;
  private long malformed;
  private long malformedParts;
  private long bytes;
  private long readCalls;
  private long oldest = Long.MAX_VALUE;

  /**
   * Counts a row.
   *
   * @param oldestCell the oldest timestamp of its cells, milliseconds since the epoch
   */
  void row(long cellsOfRow, long ofOtherAggregates, long oldestCell) {
    rows++;
    oldest = Math.min(oldest, oldestCell);
    cells += cellsOfRow;
    otherAggregates += ofOtherAggregates;
  }

  /** Counts the current row as one of which wider rollups are made. */
  void sourceRow() {
    sourceRows++;
  }

  /** Counts a row, a cell or a block that cannot be compared. */
  void malformed(String what) {
    malformed++;
    if (problems.size() < SAMPLES) {
      problems.add(what);
    }
  }

  /** Counts a cell of packed rollups that cannot be compared. */
  public void malformedPart(String what) {
    malformedParts++;
    malformed(what);
  }

  void storage(long bytesRead, long calls) {
    bytes += bytesRead;
    readCalls += calls;
  }

  /** Adds the books of another task. */
  public void add(StoredBooks other) {
    rows += other.rows;
    sourceRows += other.sourceRows;
    cells += other.cells;
    otherAggregates += other.otherAggregates;
    malformed += other.malformed;
    malformedParts += other.malformedParts;
    bytes += other.bytes;
    readCalls += other.readCalls;
    oldest = Math.min(oldest, other.oldest);
    other.problems.stream().limit(SAMPLES - (long) problems.size()).forEach(problems::add);
  }

  /** Rows within the window. */
  public long rows() {
    return rows;
  }

  /** Of these, rows of which wider rollups are made. */
  public long sourceRows() {
    return sourceRows;
  }

  /** Cells of these rows. */
  public long cells() {
    return cells;
  }

  /** Cells of aggregates that are not compared, included in {@link #cells}. */
  public long otherAggregates() {
    return otherAggregates;
  }

  /** Rows, cells and blocks that cannot be compared: broken, or of an older format. */
  public long malformed() {
    return malformed;
  }

  /** Of these, cells of packed rollups, beside which rollups can be compared. */
  public long malformedParts() {
    return malformedParts;
  }

  /** How many there are, in one sentence; empty without any. */
  public String malformedText() {
    return malformed == 0
        ? ""
        : malformed + " rows, cells or blocks of rollup tables cannot be compared";
  }

  /**
   * The oldest of the cells' timestamps, milliseconds since the epoch; {@link Long#MAX_VALUE}
   * without cells. A TTL of the table counts from it.
   */
  public long oldestCell() {
    return oldest;
  }

  /** Bytes of HFiles that storage delivered. */
  public long bytesRead() {
    return bytes;
  }

  /** Read calls to storage. */
  public long readCalls() {
    return readCalls;
  }

  /** Samples of malformed rows, cells and blocks. */
  public List<String> problems() {
    return List.copyOf(problems);
  }
}
