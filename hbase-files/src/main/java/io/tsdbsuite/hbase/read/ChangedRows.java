package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of one store file that have a cell, a put or a delete, at or after a given time,
 * by HBase's own timestamps. The file is not merged with others: a row is found even if another
 * file hides the cell. For one thread.
 */
public final class ChangedRows implements Closeable {
  /** Decides about rows. */
  public interface Visitor {
    /**
     * The search reaches a row.
     *
     * @return null to search its cells; else the row at which to continue, empty to stop
     */
    byte @Nullable [] enter(byte[] array, int offset, int length);

    /**
     * The row has changed; the visitor may keep its key.
     *
     * @param deleted whether the first of its new cells is a delete marker, as in a row that was
     *     deleted
     */
    void changed(byte[] row, boolean deleted);

    /** Some rows cannot be read. */
    void unreadable(UnreadableBlockException failure);
  }

  private final ReadTracker tracker;
  private final RegionFiles files;
  private HStoreFile store;

  /**
   * Opens a file, and reads its trailer, index and metadata.
   *
   * @throws IOException when storage fails or the end of the file is corrupt; see {@link
   *     ReadTracker}
   */
  public ChangedRows(ReadSource source, SnapshotFile file, ReadTracker tracker) throws IOException {
    this.tracker = tracker;
    this.files = RegionFiles.open(source, List.of(file), true, tracker);
    this.store = files.open().get(0).store();
  }

  /**
   * The origin of the file.
   *
   * @throws IOException when its metadata are invalid
   */
  public FileOrigin origin() throws IOException {
    return FileOrigin.of(store);
  }

  /**
   * Whether the file can have such cells; true if its metadata have no newest timestamp.
   *
   * @param since milliseconds since the epoch; {@link Long#MIN_VALUE} for any cell
   */
  public boolean isPossible(long since) {
    return files.open().get(0).reader().getEntries() > 0
        && store.getMaximumTimestamp().orElse(Long.MAX_VALUE) >= since;
  }

  /**
   * The oldest timestamp of a put, in milliseconds since the epoch; {@link Long#MAX_VALUE} without
   * puts, {@link Long#MIN_VALUE} if the metadata do not have it. The oldest timestamp of all cells
   * would be 0 in each file with deletes of columns, which a TSD's compaction writes: they hide
   * cells of any time before.
   */
  public long oldestPut() {
    byte[] oldest = store.getMetadataValue(HStoreFile.EARLIEST_PUT_TS);
    return oldest == null ? Long.MIN_VALUE : Bytes.toLong(oldest);
  }

  /**
   * Searches the file.
   *
   * @param startRow first row, inclusive; empty for the first of the table
   * @param since milliseconds since the epoch
   * @throws IOException when storage fails
   */
  public void search(byte[] startRow, long since, Visitor visitor) throws IOException {
    byte[] position = startRow;
    byte[] reread = null;
    while (position != null) {
      Search search = new Search(since, visitor, position);
      try {
        search.run();
        position = null;
      } catch (IOException | RuntimeException | AssertionError e) {
        IOException failure =
            BlockFailures.of(files, e, tracker.file(), tracker.offset(), search.row);
        if (!(failure instanceof UnreadableBlockException unreadable)) {
          throw failure;
        }
        if (!Arrays.equals(search.row, reread)) {
          // Read once more: storage may have delivered wrong bytes.
          reread = search.row;
          position = search.row;
          files.reopen();
          store = files.open().get(0).store();
          continue;
        }
        visitor.unreadable(unreadable);
        position = unreadable.resumeRow().length == 0 ? null : unreadable.resumeRow();
      }
    }
  }

  /** A scan to the end of the file or to a corrupt block. */
  private final class Search {
    private final long since;
    private final Visitor visitor;

    /** The current row, or the next row to seek. */
    private byte[] row;

    private Search(long since, Visitor visitor, byte[] from) {
      this.since = since;
      this.visitor = visitor;
      this.row = from;
    }

    private void run() throws IOException {
      if (!files.open().get(0).reaches(row)) {
        return;
      }
      StoreFileScanner scanner =
          StoreFileScanner.getScannersForStoreFiles(
                  List.of(store), false, false, false, false, Long.MAX_VALUE)
              .get(0);
      try {
        scan(scanner);
      } finally {
        scanner.close();
      }
    }

    private void scan(StoreFileScanner scanner) throws IOException {
      scanner.seek(PrivateCellUtil.createFirstOnRow(row));
      boolean entered = false;
      boolean done = false;
      while (scanner.peek() != null) {
        Cell cell = scanner.peek();
        if (!entered || !CellUtil.matchingRows(cell, row)) {
          entered = true;
          row = CellUtil.cloneRow(cell);
          done = false;
          byte[] next = visitor.enter(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
          if (next != null) {
            if (next.length == 0) {
              return;
            }
            row = next;
            entered = false;
            scanner.reseek(PrivateCellUtil.createFirstOnRow(row));
            continue;
          }
        }
        if (!done && cell.getTimestamp() >= since) {
          done = true;
          visitor.changed(row, CellUtil.isDelete(cell));
        }
        scanner.next();
      }
    }
  }

  @Override
  public void close() {
    files.close();
  }
}
