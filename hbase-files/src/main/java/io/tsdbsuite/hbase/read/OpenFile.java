package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/** An open store file, its index, and the input that its blocks come from. For one thread. */
final class OpenFile {
  private final SnapshotFile file;
  private final HStoreFile store;
  private final VerifyingInput input;
  private final ReadTracker tracker;
  private final HFile.Reader reader;
  private final BlockIndex index;
  private final byte[] lastRow;
  private long expectedEnd;
  private final BlockPlace first = new BlockPlace();
  private final BlockPlace last = new BlockPlace();

  /**
   * @param store whose reader is open
   * @param input of that reader
   */
  OpenFile(SnapshotFile file, HStoreFile store, VerifyingInput input, ReadTracker tracker) {
    this.tracker = tracker;
    this.file = file;
    this.store = store;
    this.input = input;
    this.reader = store.getReader().getHFileReader();
    this.index = new BlockIndex(reader);
    this.lastRow = reader.getEntries() == 0 ? null : reader.getLastRowKey().orElse(null);
  }

  SnapshotFile file() {
    return file;
  }

  HStoreFile store() {
    return store;
  }

  HFile.Reader reader() {
    return reader;
  }

  /**
   * Whether the file may have this row or one after it. Where it has none, seeking it would read
   * its last block all the same, and never get past one that is corrupt.
   */
  boolean reaches(byte[] row) {
    return lastRow != null && Arrays.compareUnsigned(row, lastRow) <= 0;
  }

  /** A row behind all of the file's, or this one where it is behind them itself. */
  byte[] behind(byte[] row) {
    return reaches(row) ? Arrays.copyOf(lastRow, lastRow.length + 1) : row;
  }

  /**
   * Finds the data block that a row begins in, or would begin in.
   *
   * @throws IOException when storage fails or a block of the index is corrupt
   */
  BlockPlace find(byte[] row) throws IOException {
    index.find(row, first);
    return first;
  }

  /**
   * Has the blocks from one on fetched together, once they are read. Blocks of the index that
   * cannot be read are no failure here: then blocks come one by one.
   *
   * @param begin bytes from the start of the file to the first of them
   * @param end where the last of them ends
   * @param most bytes to fetch at once
   */
  void expect(long begin, long end, int most) {
    expectedEnd = end;
    // HBase reads a block together with the header of the next.
    input.expect(begin, Math.min(end + BlockPlace.HEADER_BYTES, file.length()), most);
  }

  /** Where the last block ends that was expected. */
  long expectedEnd() {
    return expectedEnd;
  }

  /**
   * Where the block ends in which a row is or would be. Where the index cannot be read, that is no
   * failure here: then it is 0.
   *
   * @param row null for the last of the file
   * @throws IOException when storage fails
   */
  long endOfBlock(byte[] row) throws IOException {
    try {
      if (row == null) {
        index.findLast(last);
      } else {
        index.find(row, last);
      }
      return last.end();
    } catch (IOException | RuntimeException | AssertionError e) {
      tracker.requireStorage(e);
      return 0;
    }
  }

  /** Has the blocks of a range of rows fetched together; as {@link #endOfBlock}. */
  void expect(byte[] row, byte[] endRow, int most) throws IOException {
    try {
      index.find(row, first);
    } catch (IOException | RuntimeException | AssertionError e) {
      tracker.requireStorage(e);
      return;
    }
    expect(first.offset(), endOfBlock(endRow), most);
  }
}
