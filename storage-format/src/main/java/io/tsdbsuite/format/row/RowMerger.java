package io.tsdbsuite.format.row;

import io.tsdbsuite.format.schema.StorageSchema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Merges the cells of one raw row into one sorted list of points, as a query of the TSD does.
 * Reusable, not thread-safe: {@link #reset}, {@link #add} for each cell, {@link #merge}.
 *
 * <pre>
 *   cell (stamp 7)   5s=1        20s=2                 of one instant the newest cell wins;
 *   cell (stamp 9)         10s=3 20s=4   30s=5         in date-tiered mode the largest
 *   merged           5s=1  10s=3 20s=4   30s=5         (or smallest) value
 * </pre>
 *
 * <p>Instants are compared in milliseconds; the winner keeps its own resolution and type. Cells in
 * time order need no sort. Source: docs/storage.md 2.6, 2.7, 3 and 11.
 */
public final class RowMerger {
  private final boolean fixDuplicates;
  private final boolean dateTiered;
  private final boolean largest;

  private final PointBuffer read = new PointBuffer();
  private final PointBuffer merged = new PointBuffer();
  private final PointSorter sorter = new PointSorter();
  private final AppendScratch appendScratch = new AppendScratch();

  /** First point and stamp of each point cell. */
  private int[] cellStarts = new int[16];

  private long[] cellStamps = new long[16];
  private long[] stamps = new long[0];

  private boolean ordered;
  private int lastOffset;
  private int pointCells;
  private int annotations;
  private int histograms;

  /** Receives the histograms; null if they are only counted. */
  private @Nullable RowHistograms receiver;

  private int unknownColumns;
  private int emptyValues;
  private int appendDropped;
  private int mergeDropped;
  private int ambiguous;

  /** A merger with the duplicate rules of this installation. */
  public RowMerger(StorageSchema schema) {
    fixDuplicates = schema.fixDuplicates();
    dateTiered = schema.useOtsdbTimestamp();
    largest = schema.useMaxValue();
    reset();
  }

  /** Begins a new row. */
  public void reset() {
    read.clear();
    merged.clear();
    ordered = true;
    lastOffset = -1;
    pointCells = 0;
    annotations = 0;
    histograms = 0;
    unknownColumns = 0;
    emptyValues = 0;
    appendDropped = 0;
    mergeDropped = 0;
    ambiguous = 0;
    if (receiver != null) {
      receiver.clear();
    }
  }

  /**
   * Sets the receiver of the histograms of this and later rows; this and {@link #reset} clear it.
   *
   * @param histograms null to count them only
   */
  public void receive(@Nullable RowHistograms histograms) {
    receiver = histograms;
    if (receiver != null) {
      receiver.clear();
    }
  }

  /**
   * Adds a cell of the row. Annotations, histograms without {@link #receive}, unknown columns, and
   * point columns with an empty value are only counted.
   *
   * @param cellTimestamp HBase timestamp of the cell, milliseconds
   * @throws CorruptCellException when the cell breaks a rule of the format; the cell is skipped,
   *     and the caller may continue with the row
   */
  public void add(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, long cellTimestamp)
      throws CorruptCellException {
    ColumnKind kind = ColumnKind.of(q, qOff, qLen);
    switch (kind) {
      case ANNOTATION:
        annotations++;
        return;
      case HISTOGRAM:
        histograms++;
        if (receiver != null) {
          receiver.add(q, qOff, qLen, v, vOff, vLen);
        }
        return;
      case UNKNOWN:
        unknownColumns++;
        return;
      case CORRUPT:
        throw corruptQualifier(q, qOff, qLen);
      default:
        break;
    }
    if (vLen == 0) {
      emptyValues++;
      return;
    }
    int start = read.size();
    switch (kind) {
      case COMPACTED:
        CompactedCell.decode(q, qOff, qLen, v, vOff, vLen, read);
        break;
      case APPEND:
        appendDropped += AppendCell.decode(q, qOff, qLen, v, vOff, vLen, read, appendScratch);
        break;
      default:
        SingleCell.decode(q, qOff, qLen, v, vOff, vLen, read);
        break;
    }
    addRun(start, cellTimestamp);
  }

  private static CorruptCellException corruptQualifier(byte[] q, int qOff, int qLen) {
    CellProblem problem;
    if (qLen == 0) {
      problem = CellProblem.EMPTY_QUALIFIER;
    } else if (q[qOff] == AppendCell.PREFIX) {
      problem = CellProblem.ODD_APPEND_QUALIFIER;
    } else {
      problem = CellProblem.CUT_MILLIS_QUALIFIER;
    }
    return new CorruptCellException(problem, q, qOff, qLen, qLen + " bytes");
  }

  private void addRun(int start, long stamp) {
    if (pointCells == cellStarts.length) {
      cellStarts = Arrays.copyOf(cellStarts, pointCells * 2);
      cellStamps = Arrays.copyOf(cellStamps, pointCells * 2);
    }
    cellStarts[pointCells] = start;
    cellStamps[pointCells] = stamp;
    pointCells++;
    ordered &= read.offsetMillis(start) > lastOffset;
    lastOffset = read.offsetMillis(read.size() - 1);
  }

  /**
   * The points of the row, ascending, each instant once. The buffer belongs to this merger and is
   * overwritten for the next row.
   *
   * @throws DuplicateConflictException when one instant has two different values, and neither
   *     {@code fix_duplicates} nor date-tiered mode is on
   */
  public PointBuffer merge() throws DuplicateConflictException {
    if (ordered) {
      return read;
    }
    merged.clear();
    mergeDropped = 0;
    ambiguous = 0;
    int n = read.size();
    fillStamps(n);
    int[] order = sorter.sort(read, 0, n, stamps);
    int i = 0;
    while (i < n) {
      int end = i + 1;
      while (end < n && read.offsetMillis(order[end]) == read.offsetMillis(order[i])) {
        end++;
      }
      int winner = end - i == 1 ? order[i] : winner(order, i, end);
      merged.append(read, winner);
      mergeDropped += end - i - 1;
      i = end;
    }
    return merged;
  }

  private void fillStamps(int n) {
    if (stamps.length < n) {
      stamps = new long[Math.max(n, stamps.length * 2)];
    }
    for (int cell = 0; cell < pointCells; cell++) {
      int end = cell + 1 < pointCells ? cellStarts[cell + 1] : n;
      Arrays.fill(stamps, cellStarts[cell], end, cellStamps[cell]);
    }
  }

  /** The winner among the points of one instant, which are sorted newest first. */
  private int winner(int[] order, int from, int to) throws DuplicateConflictException {
    int winner = order[from];
    if (dateTiered) {
      for (int i = from + 1; i < to; i++) {
        double rival = read.doubleValue(order[i]);
        double best = read.doubleValue(winner);
        if (largest ? rival > best : rival < best) {
          winner = order[i];
        }
      }
    }
    for (int i = from; i < to; i++) {
      int loser = order[i];
      if (!dateTiered && !fixDuplicates && !read.sameBytes(winner, loser)) {
        throw new DuplicateConflictException(read.offsetMillis(winner), show(winner), show(loser));
      }
      if (loser != winner && stamps[loser] == stamps[winner] && !read.sameStored(winner, loser)) {
        boolean decidedByValue = dateTiered && read.doubleValue(loser) != read.doubleValue(winner);
        ambiguous += decidedByValue ? 0 : 1;
      }
    }
    return winner;
  }

  private String show(int point) {
    String number =
        read.isFloat(point)
            ? String.valueOf(read.doubleValue(point))
            : String.valueOf(read.longValue(point));
    return number
        + (read.isFloat(point) ? " (float, " : " (integer, ")
        + read.valueLength(point)
        + " bytes, cell timestamp "
        + stamps[point]
        + ")";
  }

  /** Cells with points in this row, without cells with an empty value. */
  public int pointCells() {
    return pointCells;
  }

  /** Annotations in this row. */
  public int annotations() {
    return annotations;
  }

  /** Histograms in this row. */
  public int histograms() {
    return histograms;
  }

  /** Columns in this row that OpenTSDB 2.4 ignores. */
  public int unknownColumns() {
    return unknownColumns;
  }

  /** Point columns with an empty value, which are dropped (docs/storage.md 2.7). */
  public int emptyValues() {
    return emptyValues;
  }

  /** Points in the cells of this row, before duplicates are dropped. */
  public int pointsRead() {
    return read.size() + appendDropped;
  }

  /**
   * Points dropped in favour of another point of the same instant; {@code read - dropped} points
   * remain.
   */
  public int duplicatesDropped() {
    return appendDropped + mergeDropped;
  }

  /**
   * Dropped points that differ from their winner although no rule decides between the two: cell
   * timestamps are equal, and in date-tiered mode the values are equal too. The point added first
   * was kept; a TSD may keep the other one.
   */
  public int ambiguousDuplicates() {
    return ambiguous;
  }
}
