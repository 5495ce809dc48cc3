package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.StorageException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.SnapshotStoreScanner;
import org.apache.hadoop.hbase.regionserver.StoreFileScanner;
import org.apache.hadoop.hbase.regionserver.StoreScanner;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a part of a region, as a client of a live HBase would get them from the same files:
 * newest versions, without cells that were deleted or had expired when the snapshot was taken. Rows
 * come in key order and can be skipped by {@link #seek}. For one thread.
 */
public final class RegionRows implements Closeable {
  private final ReadSource source;
  private final RegionFiles files;
  private final byte[] stopRow;
  private final boolean sequential;
  private final CellComparator comparator = CellComparatorImpl.COMPARATOR;
  private @Nullable StoreScanner scanner;
  private byte[] position;

  /**
   * @param files open files of the region
   * @param startRow first row, inclusive; empty for the first of the table
   * @param stopRow last row, exclusive; empty for the last of the table
   * @param sequential whether most of the rows will be read
   */
  public RegionRows(
      ReadSource source, RegionFiles files, byte[] startRow, byte[] stopRow, boolean sequential) {
    this.source = source;
    this.files = files;
    this.stopRow = stopRow;
    this.sequential = sequential;
    this.position = startRow;
  }

  /** A step of the scanner that may meet a corrupt block. */
  @FunctionalInterface
  private interface Step<T> {
    T run() throws IOException;
  }

  /**
   * The first cell of the next row, which may be deleted; null when there is no row left.
   *
   * @throws UnreadableBlockException when the block that begins here is corrupt
   * @throws IOException when storage fails
   */
  public @Nullable Cell peek() throws IOException {
    Cell next = scanner().peek();
    return next == null || isAtStop(next) ? null : next;
  }

  /**
   * Reads the next row.
   *
   * @param cells receives the row's cells in column order; none when all of them are deleted
   * @throws UnreadableBlockException when the row's block is corrupt; {@code cells} is then invalid
   * @throws IOException when storage fails
   * @throws StorageException configuration, when a cell has visibility labels
   */
  public void next(List<Cell> cells) throws IOException {
    Cell first = peek();
    if (first == null) {
      return;
    }
    position = CellUtil.cloneRow(first);
    StoreScanner open = scanner();
    guarded(() -> open.next(cells));
  }

  private StoreScanner scanner() throws IOException {
    if (scanner == null) {
      scanner = guarded(() -> openScanner(position));
    }
    return scanner;
  }

  /**
   * Continues at the first row at or after {@code row}, which must be after the current row.
   *
   * @throws UnreadableBlockException when the block of that row is corrupt
   * @throws IOException when storage fails
   */
  public void seek(byte[] row) throws IOException {
    position = row;
    StoreScanner open = scanner;
    if (open != null && open.peek() != null) {
      guarded(() -> open.reseek(PrivateCellUtil.createFirstOnRow(row)));
    }
  }

  /**
   * Continues after a corrupt block.
   *
   * @param failure thrown by {@link #next}, {@link #peek} or {@link #seek}
   * @return false when no row is left
   */
  public boolean resumeAfter(UnreadableBlockException failure) {
    closeScanner();
    position = failure.resumeRow();
    return position.length > 0
        && (stopRow.length == 0 || Arrays.compareUnsigned(position, stopRow) < 0);
  }

  @Override
  public void close() {
    closeScanner();
  }

  private void closeScanner() {
    if (scanner != null) {
      scanner.close();
      scanner = null;
    }
  }

  private boolean isAtStop(Cell cell) {
    return stopRow.length > 0 && comparator.compareRows(cell, stopRow, 0, stopRow.length) >= 0;
  }

  private StoreScanner openScanner(byte[] startRow) throws IOException {
    ScanInfo scanInfo =
        // HBase evaluates a TTL at the present time.
        new ScanInfo(source.conf(), source.family(), Long.MAX_VALUE, 0, comparator);
    Scan scan =
        new Scan()
            .withStartRow(startRow)
            .withStopRow(stopRow)
            .setTimeRange(source.oldestTimestamp(), Long.MAX_VALUE)
            .readVersions(1)
            .setReadType(sequential ? Scan.ReadType.STREAM : Scan.ReadType.PREAD)
            .setCacheBlocks(false);
    List<StoreFileScanner> scanners =
        StoreFileScanner.getScannersForStoreFiles(
            files.reaching(startRow), false, !sequential, false, false, Long.MAX_VALUE);
    try {
      return SnapshotStoreScanner.open(scan, scanInfo, hasTags() ? tagged(scanners) : scanners);
    } catch (IOException | RuntimeException e) {
      scanners.forEach(StoreFileScanner::close);
      throw e;
    }
  }

  private boolean hasTags() {
    return files.open().stream().anyMatch(file -> file.reader().getFileContext().isIncludesTags());
  }

  private List<TaggedCells> tagged(List<StoreFileScanner> scanners) {
    return scanners.stream().map(file -> new TaggedCells(file, source.snapshotTime())).toList();
  }

  private <T> T guarded(Step<T> step) throws IOException {
    try {
      return step.run();
    } catch (StorageException e) {
      throw e;
    } catch (IOException | RuntimeException | AssertionError e) {
      ReadTracker tracker = files.tracker();
      throw BlockFailures.of(files, e, tracker.file(), tracker.offset(), position);
    }
  }
}
