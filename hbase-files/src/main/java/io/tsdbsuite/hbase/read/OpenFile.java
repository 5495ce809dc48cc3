package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.jspecify.annotations.Nullable;

/** An open store file, its index, and the input of its blocks. For one thread. */
final class OpenFile {
  private final SnapshotFile file;
  private final HStoreFile store;
  private final VerifyingInput input;
  private final ReadTracker tracker;
  private final HFile.Reader reader;
  private final BlockIndex index;
  private final byte @Nullable [] lastRow;
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
   * Whether the file may have this row or a later one. If not, a seek would still read the last
   * block, and never get past a corrupt one.
   */
  boolean reaches(byte[] row) {
    return lastRow != null && Arrays.compareUnsigned(row, lastRow) <= 0;
  }

  /** A row after the last row of the file, or the given row if that is later. */
  byte[] behind(byte[] row) {
    return lastRow != null && reaches(row) ? Arrays.copyOf(lastRow, lastRow.length + 1) : row;
  }

  /**
   * Finds the data block in which a row begins or would begin.
   *
   * @throws IOException when storage fails or a block of the index is corrupt
   */
  BlockPlace find(byte[] row) throws IOException {
    index.find(row, first);
    return first;
  }

  /**
   * Lets the input fetch a range of blocks together when the first one is read.
   *
   * @param begin bytes from the start of the file to the first block
   * @param end end of the last block
   * @param most maximum number of bytes to fetch at once
   */
  void expect(long begin, long end, int most) {
    expectedEnd = end;
    // HBase reads a block together with the header of the next.
    input.expect(begin, Math.min(end + BlockPlace.HEADER_BYTES, file.length()), most);
  }

  /** End of the last expected block. */
  long expectedEnd() {
    return expectedEnd;
  }

  /**
   * End of the block in which a row is or would be; 0 if the index cannot be read.
   *
   * @param row null for the last row of the file
   * @throws IOException when storage fails
   */
  long endOfBlock(byte @Nullable [] row) throws IOException {
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

  /**
   * Lets the input fetch the blocks of a range of rows together. If the index cannot be read,
   * blocks are fetched one by one.
   */
  void expect(byte[] row, byte @Nullable [] endRow, int most) throws IOException {
    try {
      index.find(row, first);
    } catch (IOException | RuntimeException | AssertionError e) {
      tracker.requireStorage(e);
      return;
    }
    expect(first.offset(), endOfBlock(endRow), most);
  }
}
