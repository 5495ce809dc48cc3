package io.tsdbsuite.hbase.read;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * Distinguishes failures of storage from corrupt blocks, and finds the rows that a corrupt block
 * hides.
 */
final class BlockFailures {
  private BlockFailures() {}

  /**
   * Classifies a failure.
   *
   * @param file the HFile
   * @param offset bytes from its start to the last read
   * @param position the first row that may be incomplete
   * @return an {@link UnreadableBlockException}, or the failure of storage
   */
  static IOException of(
      RegionFiles files, Throwable cause, String file, long offset, byte[] position) {
    try {
      files.tracker().requireStorage(cause);
      HFile.Reader reader = files.readerOf(file);
      if (reader == null) {
        return new IOException("HFile " + file + " is corrupt near offset " + offset, cause);
      }
      Cell next = new BlockIndex(reader).keyAfter(offset, files.tracker());
      byte[] resume = next == null ? rowAfterLast(reader) : BlockIndex.firstWholeRow(next);
      // Never go back: a block that ends before the current row can only fail again.
      if (resume.length > 0 && Arrays.compareUnsigned(resume, position) <= 0) {
        resume = Arrays.copyOf(position, position.length + 1);
      }
      return new UnreadableBlockException(file, offset, position, resume, cause);
    } catch (IOException e) {
      return e;
    }
  }

  private static byte[] rowAfterLast(HFile.Reader reader) {
    return reader
        .getLastRowKey()
        .map(row -> Arrays.copyOf(row, row.length + 1))
        .orElse(HConstants.EMPTY_END_ROW);
  }
}
