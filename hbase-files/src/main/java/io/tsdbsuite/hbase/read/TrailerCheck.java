package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.FileSupport;
import io.tsdbsuite.hbase.StorageException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hbase.io.crypto.Encryption;
import org.apache.hadoop.hbase.io.hfile.DataBlockIndex;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.security.EncryptionUtil;

/**
 * Compares an HFile's trailer with its index. The trailer is the only part of an HFile without a
 * checksum, and with a wrong byte in it HBase may silently treat the file as empty or as shorter.
 * The trailer also says what is needed to read the file, which may differ from what its family says
 * now.
 */
final class TrailerCheck {
  private TrailerCheck() {}

  /**
   * Checks whether a file that could not be opened needs a codec or a key that this process lacks.
   *
   * @param stream of the whole file
   * @param length of the file, bytes
   * @throws StorageException configuration, with what to do
   */
  static void requireSupport(
      Configuration conf, String file, FSDataInputStream stream, long length) {
    FixedFileTrailer trailer;
    try {
      trailer = FixedFileTrailer.readFromStream(stream, length);
    } catch (IOException | RuntimeException e) {
      // The trailer itself is damaged.
      return;
    }
    FileSupport.requireCodec("HFile " + file, trailer.getCompressionCodec());
    byte[] key = trailer.getEncryptionKey();
    if (key != null) {
      FileSupport.requireKey("HFile " + file + " is encrypted", () -> unwrap(conf, key));
    }
  }

  private static void unwrap(Configuration conf, byte[] wrapped) throws IOException {
    String algorithm = EncryptionUtil.unwrapKey(conf, wrapped).getAlgorithm();
    if (Encryption.getCipher(conf, algorithm) == null) {
      throw new IOException("there is no cipher " + algorithm);
    }
  }

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
          ("the index ends at offset %s, but the trailer says that the last data block is"
                  + " at %s")
              .formatted(indexed, last));
    }
  }
}
