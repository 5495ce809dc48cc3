package io.tsdbsuite.hbase.read;

import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.DataBlockIndex;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * Compares an HFile's trailer with its index. The trailer is the only part of an HFile without a
 * checksum, and with a wrong byte in it HBase may silently treat the file as empty or as shorter.
 */
final class TrailerCheck {
  private TrailerCheck() {}

  /**
   * Checks that the index reaches the last data block.
   *
   * @throws IOException with the difference
   */
  static void check(HFile.Reader reader) throws IOException {
    FixedFileTrailer trailer = reader.getTrailer();
    DataBlockIndex index = new DataBlockIndex(reader);
    int roots = index.rootCount();
    if (roots == 0 || reader.getEntries() == 0) {
      if (trailer.getLoadOnOpenDataOffset() > 0) {
        throw new IOException(
            "the trailer says that the file is empty, but "
                + trailer.getLoadOnOpenDataOffset()
                + " bytes of blocks come before its index");
      }
      return;
    }
    long indexed = index.rootOffset(roots - 1);
    long last = trailer.getLastDataBlockOffset();
    // Index blocks below the root are after the data blocks that they list.
    boolean reaches = index.levels() > 1 ? indexed > last : indexed == last;
    if (!reaches) {
      throw new IOException(
          "the index ends at offset "
              + indexed
              + ", but the trailer says that the last data block is at "
              + last);
    }
  }
}
