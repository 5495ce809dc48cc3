package io.tsdbsuite.rollup.tiers.idle;

import io.tsdbsuite.rollup.report.MetricRows.Kept;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What rows of all tables tell of a series. It sums their records:
 *
 * <pre>
 *   0            1           2                          10
 *   +------------+-----------+--------------------------+----------------------+
 *   | number of  | its fate  | newest timestamp of its  | points of a row that |
 *   | the table  |           | cells, ms (8)            | goes (8)             |
 *   +------------+-----------+--------------------------+----------------------+
 * </pre>
 *
 * <p>Not thread-safe.
 */
final class SeriesState implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int RECORD = 2 * Byte.BYTES + 2 * Long.BYTES;
  private static final List<Kept> REASONS = List.of(Kept.values());

  /** Counts of a table: {@link #ROWS} and those after it. */
  private static final int COUNTS = 5;

  private static final int ROWS = 0;
  private static final int ANNOTATED = 1;
  private static final int POINTS = 2;
  private static final int ANNOTATIONS = 3;
  private static final int EMPTY = 4;

  /** A row that ends after the time from which on a series must have no write. */
  private static final int LIVE = -1;

  /** A row that goes, and one of which annotations stay. */
  private static final int GOES = -2;

  private static final int GOES_ANNOTATED = -3;

  private final long[] counts;
  private boolean live;
  private long newest = Long.MIN_VALUE;
  private @Nullable Kept reason;
  private long rows;

  /** Tasks whose number of rows was added. */
  private long tasks;

  /**
   * The state of a series without rows.
   *
   * @param tables how many there are
   */
  SeriesState(int tables) {
    counts = new long[tables * COUNTS];
  }

  /** The record of a row that ends after the time. */
  static byte[] live(int table) {
    return record(table, LIVE, Long.MIN_VALUE, 0);
  }

  /** The record of a row that stays. */
  static byte[] stays(int table, Kept reason, long newest) {
    return record(table, REASONS.indexOf(reason), newest, 0);
  }

  /** The record of a row that would go. */
  static byte[] goes(int table, boolean annotated, long points, long newest) {
    return record(table, annotated ? GOES_ANNOTATED : GOES, newest, points);
  }

  /** The record of a task, which is of no series: how many rows it has read. */
  static byte[] task(long rows) {
    return ByteBuffer.allocate(Long.BYTES).putLong(rows).array();
  }

  private static byte[] record(int table, int fate, long newest, long points) {
    return ByteBuffer.allocate(RECORD)
        .put((byte) table)
        .put((byte) fate)
        .putLong(newest)
        .putLong(points)
        .array();
  }

  /** Adds the record of a row, or of a task. */
  SeriesState add(byte[] record) {
    ByteBuffer row = ByteBuffer.wrap(record);
    if (record.length == Long.BYTES) {
      rows += row.getLong();
      tasks++;
      return this;
    }
    int at = (row.get() & 0xff) * COUNTS;
    int fate = row.get();
    newest = Math.max(newest, row.getLong());
    rows++;
    if (fate == LIVE) {
      live = true;
    } else if (fate == GOES || fate == GOES_ANNOTATED) {
      counts[at + (fate == GOES ? ROWS : ANNOTATED)]++;
      counts[at + POINTS] += row.getLong();
    } else {
      Kept why = REASONS.get(fate);
      switch (why) {
        case ANNOTATIONS -> counts[at + ANNOTATIONS]++;
        case EMPTY -> counts[at + EMPTY]++;
        default -> stay(why);
      }
    }
    return this;
  }

  private void stay(Kept why) {
    reason = reason == null || why.compareTo(reason) < 0 ? why : reason;
  }

  /** Adds other rows of the series. */
  SeriesState merge(SeriesState other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
    live |= other.live;
    newest = Math.max(newest, other.newest);
    if (other.reason != null) {
      stay(other.reason);
    }
    rows += other.rows;
    tasks += other.tasks;
    return this;
  }

  /**
   * Whether it was written at a time or later: by a row that ends after it, or a timestamp.
   *
   * @param before milliseconds since the epoch
   */
  boolean isLive(long before) {
    return live || newest >= before;
  }

  /** Why it stays as a whole, if it is not live; null if some of it goes. */
  @Nullable Kept reason() {
    long goes = 0;
    long annotations = 0;
    for (int at = 0; at < counts.length; at += COUNTS) {
      goes += counts[at + ROWS] + counts[at + ANNOTATED];
      annotations += counts[at + ANNOTATIONS];
    }
    if (reason != null || goes > 0) {
      return reason;
    }
    return annotations > 0 ? Kept.ANNOTATIONS : Kept.EMPTY;
  }

  /** Its rows in all tables. */
  long rows() {
    return rows;
  }

  /** Tasks that were added. */
  long tasks() {
    return tasks;
  }

  /** What goes of a table. */
  Proof.Rows goes(int table) {
    int at = table * COUNTS;
    return new Proof.Rows(counts[at + ROWS], counts[at + ANNOTATED], counts[at + POINTS]);
  }

  /** Rows of a table that stay though the series goes: with annotations alone, or with nothing. */
  long stays(int table, Kept why) {
    return counts[table * COUNTS + (why == Kept.ANNOTATIONS ? ANNOTATIONS : EMPTY)];
  }
}
