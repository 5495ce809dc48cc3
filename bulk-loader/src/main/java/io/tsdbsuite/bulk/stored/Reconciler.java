package io.tsdbsuite.bulk.stored;

import io.tsdbsuite.bulk.group.OnConflict;
import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.Tally;
import io.tsdbsuite.bulk.row.EncodedRow;
import io.tsdbsuite.bulk.table.CellTimestamps;
import io.tsdbsuite.bulk.table.RowName;
import io.tsdbsuite.format.row.CorruptCellException;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.jspecify.annotations.Nullable;

/**
 * Decides the changes that a row of the load makes to a stored row. Not thread-safe.
 *
 * <pre>
 *   an instant that is not stored          goes into one more compacted cell
 *   stored, same kind and number           is counted
 *   stored, another value                  by --on-conflict: the load ends, the stored value stays,
 *                                          or the whole row is rewritten
 * </pre>
 *
 * <p>Every reader merges one more cell with other instants, and no concurrent change by a TSD can
 * harm it. A row is rewritten so that no reader finds two values, be {@code
 * tsd.storage.fix_duplicates} on or off.
 */
public final class Reconciler {
  private final RowKey keys;
  private final RowName names;
  private final StoredPoints stored;
  private final OnConflict onConflict;
  private final CellTimestamps stamps;
  private final boolean mayRewrite;
  private final @Nullable OwnPoints own;

  private final PointBuffer incoming = new PointBuffer();
  private final PointBuffer fresh = new PointBuffer();
  private final PointBuffer merged = new PointBuffer();

  /**
   * @param names for messages
   * @param mayRewrite whether stored values can be replaced, which HFiles cannot
   * @param resumed whether cells with the timestamps of this load are its own, written before it
   *     was stopped, and count as written
   */
  public Reconciler(
      StorageSchema schema,
      RowName names,
      OnConflict onConflict,
      CellTimestamps stamps,
      boolean mayRewrite,
      boolean resumed) {
    this.keys = new RowKey(schema);
    this.names = names;
    this.stored = new StoredPoints(schema, names);
    this.onConflict = onConflict;
    this.stamps = stamps;
    this.mayRewrite = mayRewrite;
    this.own = resumed ? new OwnPoints() : null;
  }

  /**
   * Decides for one row.
   *
   * @param parts the row, in one or more cells, ascending
   * @param row the stored row
   * @param tally empty; gets all points but those in {@link Change#cells()}
   * @throws JobException when a value differs and {@code --on-conflict} is fail, when the row would
   *     have to be rewritten and cannot be, when a delete marker would hide a new cell, or when a
   *     TSD cannot read the stored row
   */
  public Change reconcile(List<EncodedRow> parts, StoredRow row, Tally tally) {
    byte[] key = parts.get(0).key();
    stored.decode(key, row.cells());
    if (stored.pointCells().isEmpty()) {
      checkVisible(row, parts);
      return new Change(parts, null);
    }
    incoming.clear();
    for (EncodedRow part : parts) {
      Cells.decode(part, incoming);
    }
    if (own != null) {
      own.find(stored.pointCells(), parts, stamps, keys);
    }
    int replaced = merge(key, tally);
    if (replaced > 0) {
      return new Change(List.of(), rewrite(key, row, replaced, tally));
    }
    if (fresh.size() == 0) {
      boolean allOurs = tally.get(Count.POINTS_WRITTEN) == incoming.size();
      tally.add(allOurs ? Count.ROWS_WRITTEN : Count.ROWS_UNCHANGED, 1);
      return Change.none();
    }
    tally.add(Count.ROWS_MERGED, 1);
    List<EncodedRow> cells = Cells.compacted(key, keys.baseTime(key, 0), fresh);
    checkVisible(row, cells);
    return new Change(cells, null);
  }

  /**
   * Fills {@code fresh} and {@code merged}; returns the number of stored points that are replaced.
   */
  private int merge(byte[] key, Tally tally) {
    PointBuffer old = stored.points();
    fresh.clear();
    merged.clear();
    int replaced = 0;
    long already = 0;
    long ours = 0;
    long superseded = 0;
    int at = 0;
    for (int i = 0; i < incoming.size(); i++) {
      int offset = incoming.offsetMillis(i);
      while (at < old.size() && old.offsetMillis(at) < offset) {
        Cells.copy(old, at++, merged);
      }
      if (at == old.size() || old.offsetMillis(at) > offset) {
        Cells.copy(incoming, i, fresh);
        Cells.copy(incoming, i, merged);
        continue;
      }
      if (PointValues.same(incoming, i, old, at)) {
        boolean written = own != null && own.has(offset);
        already += written ? 0 : 1;
        ours += written ? 1 : 0;
        Cells.copy(old, at, merged);
      } else if (wins(key, i, at)) {
        replaced++;
        Cells.copy(incoming, i, merged);
      } else {
        superseded++;
        Cells.copy(old, at, merged);
      }
      at++;
    }
    while (at < old.size()) {
      Cells.copy(old, at++, merged);
    }
    tally.add(Count.ALREADY_STORED, already);
    tally.add(Count.SUPERSEDED_BY_STORED, superseded);
    tally.add(Count.POINTS_WRITTEN, ours);
    return replaced;
  }

  private boolean wins(byte[] key, int i, int at) {
    return switch (onConflict) {
      case FAIL ->
          throw JobException.badInput(
              names.point(key, incoming.offsetMillis(i))
                  + ": one instant must have one value while --on-conflict is fail, found "
                  + PointValues.show(stored.points(), at)
                  + " in the table and "
                  + PointValues.show(incoming, i)
                  + " in the input");
      case FIRST -> false;
      case LAST -> true;
      case MAX -> PointValues.compare(incoming, i, stored.points(), at) > 0;
    };
  }

  private RowRewrite rewrite(byte[] key, StoredRow row, int replaced, Tally tally) {
    if (!mayRewrite) {
      throw JobException.badInput(
          ("%s: %s stored value(s) would have to be replaced, which HFiles cannot do: use"
                  + " --mode put")
              .formatted(names.row(key), replaced));
    }
    long base = keys.baseTime(key, 0);
    List<EncodedRow> cells =
        stored.hasAppend()
            ? List.of(Cells.appended(key, base, merged))
            : Cells.compacted(key, base, merged);
    long stamp = stamps.of(cells.get(cells.size() - 1), keys);
    for (Cell cell : stored.pointCells()) {
      if (cell.getTimestamp() > stamp) {
        throw JobException.badInput(
            ("%s: a new value must not be older than the stored one, found a cell of %s where"
                    + " --cell-timestamp gives %s%s")
                .formatted(
                    names.row(key),
                    Instant.ofEpochMilli(cell.getTimestamp()),
                    Instant.ofEpochMilli(stamp),
                    stamps.mayBeHidden()
                        ? "; --cell-timestamp now does it if the TSDs' configuration allows it"
                        : ": it was written after this load began; a new load of the same input"
                            + " replaces it"));
      }
    }
    for (EncodedRow cell : cells) {
      checkVisible(row, key, cell.qualifier(), stamp);
    }
    tally.add(Count.STORED_REPLACED, replaced);
    tally.add(Count.POINTS_WRITTEN, replaced + fresh.size());
    tally.add(Count.ROWS_WRITTEN, 1);
    tally.add(Count.ROWS_MERGED, 1);
    for (EncodedRow cell : cells) {
      tally.add(Count.BYTES_WRITTEN, cell.size());
    }
    return new RowRewrite(key, cells, stamp, stored.pointCells(), stored.append());
  }

  private void checkVisible(StoredRow row, List<EncodedRow> cells) {
    for (EncodedRow cell : cells) {
      checkVisible(row, cell.key(), cell.qualifier(), stamps.of(cell, keys));
    }
  }

  private void checkVisible(StoredRow row, byte[] key, byte[] qualifier, long stamp) {
    Cell marker = row.hides(qualifier, stamp);
    if (marker != null) {
      throw JobException.badInput(
          names.row(key)
              + ": a cell of "
              + Instant.ofEpochMilli(stamp)
              + " would be hidden by a delete of "
              + Instant.ofEpochMilli(marker.getTimestamp())
              + ": run a major compaction of the table first, which ends the effect of deletes");
    }
  }

  /**
   * The instants of a row that this load itself has written before it was stopped, recognised by
   * their cell timestamps.
   */
  private static final class OwnPoints {
    private final BitSet offsets = new BitSet();
    private final PointBuffer points = new PointBuffer();

    /** Looks at the cells of a row; they were decoded before and are not corrupt. */
    void find(List<Cell> cells, List<EncodedRow> parts, CellTimestamps stamps, RowKey keys) {
      offsets.clear();
      for (Cell cell : cells) {
        if (isOwn(cell, parts, stamps, keys)) {
          points.clear();
          decode(cell, points);
          for (int i = 0; i < points.size(); i++) {
            offsets.set(points.offsetMillis(i));
          }
        }
      }
    }

    private static boolean isOwn(
        Cell cell, List<EncodedRow> parts, CellTimestamps stamps, RowKey keys) {
      for (EncodedRow part : parts) {
        if (cell.getTimestamp() == stamps.of(part, keys)) {
          return true;
        }
      }
      return false;
    }

    private static void decode(Cell cell, PointBuffer into) {
      try {
        Cells.decode(cell, into);
      } catch (CorruptCellException e) {
        throw new IllegalStateException("the cell was decoded before", e);
      }
    }

    /** Whether the load wrote a point at this offset from the base time, milliseconds. */
    boolean has(int offsetMillis) {
      return offsets.get(offsetMillis);
    }
  }

  /**
   * The change that a row of the load makes to a stored row.
   *
   * @param cells cells to add; the stored row has no point at an instant of these cells
   * @param rewrite replaces the stored cells; null if the stored cells stay
   */
  public record Change(List<EncodedRow> cells, @Nullable RowRewrite rewrite) {
    static Change none() {
      return new Change(List.of(), null);
    }
  }
}
