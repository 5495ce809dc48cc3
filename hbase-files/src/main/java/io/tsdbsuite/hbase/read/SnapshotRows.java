package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.hbase.snapshot.StoreFileResolver;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a range of a snapshot in key order, region by region; a corrupt block ends it. Holds
 * the open files of one region. For one thread.
 *
 * <pre>
 *   while (next(visitor)) {    the visitor got the cells
 *     row()                    their row key
 *   }
 * </pre>
 */
public final class SnapshotRows implements Closeable {
  private final String what;
  private final ReadSource source;
  private final StoreFileResolver resolver;
  private final Iterator<SnapshotRegion> regions;
  private final byte[] startRow;
  private final byte[] stopRow;
  private @Nullable Part part;

  /** The open part of a region; closing it closes its files. */
  private record Part(RegionFiles files, RowReader rows, ReadTracker tracker) {
    void close() {
      rows.close();
      files.close();
    }
  }

  /**
   * Reads nothing yet.
   *
   * @param what the snapshot, the beginning of messages
   * @param startRow first row, inclusive; empty for the first of the table
   * @param stopRow last row, exclusive; empty for the last of the table
   */
  public SnapshotRows(String what, Snapshot snapshot, byte[] startRow, byte[] stopRow) {
    this.what = what;
    this.source = ReadSource.of(snapshot);
    this.resolver = new StoreFileResolver(snapshot);
    this.regions = snapshot.regions().iterator();
    this.startRow = startRow;
    this.stopRow = stopRow;
  }

  /**
   * Reads the next row that has cells, as {@link RowReader#read} does.
   *
   * @param visitor receives the cells of one row; after {@link CellVisitor#restart} they come again
   * @return false when no row is left
   * @throws StorageException bad input, when a file is missing, truncated or corrupt; unavailable,
   *     when storage fails
   */
  public boolean next(CellVisitor visitor) {
    for (Part open = part(); open != null; open = part()) {
      if (read(open, visitor)) {
        return true;
      }
      close();
    }
    return false;
  }

  /**
   * A copy of the key of the row that {@link #next} has read.
   *
   * @throws IllegalStateException when it has read none
   */
  public byte[] row() {
    if (part == null) {
      throw new IllegalStateException("no row was read");
    }
    RowReader rows = part.rows;
    int offset = rows.rowOffset();
    return Arrays.copyOfRange(rows.rowArray(), offset, offset + rows.rowLength());
  }

  @Override
  public void close() {
    if (part != null) {
      part.close();
      part = null;
    }
  }

  /** The open region, or the next one with rows of the range; null when none is left. */
  private @Nullable Part part() {
    while (part == null && regions.hasNext()) {
      SnapshotRegion region = regions.next();
      byte[] from = later(region.startKey(), startRow);
      byte[] to = earlier(region.endKey(), stopRow);
      if (to.length == 0 || Arrays.compareUnsigned(from, to) < 0) {
        part = open(resolve(region), from, to);
      }
    }
    return part;
  }

  private Part open(List<SnapshotFile> hfiles, byte[] from, byte[] to) {
    // A range may be a small part of each file; then the reader requests only this part from the
    // storage.
    boolean sequential = startRow.length == 0 && stopRow.length == 0;
    ReadTracker tracker = new ReadTracker();
    RegionFiles files;
    try {
      files = RegionFiles.open(source, hfiles, sequential, tracker);
    } catch (IOException | RuntimeException e) {
      throw failure(e, tracker);
    }
    return new Part(
        files, RowReaders.open(source, files, from, to, sequential, ReadRanges.ALL), tracker);
  }

  private List<SnapshotFile> resolve(SnapshotRegion region) {
    try {
      return resolver.resolve(region);
    } catch (IOException e) {
      throw StorageFailures.of(what, e);
    }
  }

  private boolean read(Part open, CellVisitor visitor) {
    try {
      while (open.rows.peek()) {
        visitor.restart();
        if (open.rows.read(visitor) > 0) {
          return true;
        }
      }
      return false;
    } catch (UnreadableBlockException e) {
      throw StorageException.badInput(
          "%s: HFile %s: the block near offset %s is corrupt; export it again"
              .formatted(what, e.file(), e.offset()),
          e);
    } catch (IOException e) {
      throw failure(e, open.tracker);
    }
  }

  private StorageException failure(Exception e, ReadTracker tracker) {
    if (e instanceof StorageException known) {
      return known;
    }
    return tracker.hasStorageFailed()
        ? StorageFailures.of(what, e)
        : StorageException.badInput(what + ": " + tracker.describe(e), e);
  }

  private static byte[] later(byte[] start, byte[] other) {
    return Arrays.compareUnsigned(start, other) < 0 ? other : start;
  }

  private static byte[] earlier(byte[] end, byte[] other) {
    boolean isEnd = other.length == 0 || (end.length > 0 && Arrays.compareUnsigned(end, other) < 0);
    return isEnd ? end : other;
  }
}
