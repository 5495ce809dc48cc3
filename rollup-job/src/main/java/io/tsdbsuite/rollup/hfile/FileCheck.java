package io.tsdbsuite.rollup.hfile;

import io.tsdbsuite.hbase.Codecs;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;

/** Reads an HFile back to verify the stored content. */
public final class FileCheck {
  private static final int BUFFER_BYTES = 256 << 10;

  private FileCheck() {}

  /**
   * Computes the CRC-32C of all bytes of a file.
   *
   * @throws IOException when it cannot be read
   */
  public static long crc32c(FileSystem files, Path file) throws IOException {
    CRC32C crc = new CRC32C();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = files.open(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        crc.update(buffer, 0, read);
      }
    }
    return crc.getValue();
  }

  /**
   * Returns the number of cells according to the file's trailer.
   *
   * @throws IOException when it is not an HFile or cannot be read
   */
  public static long cells(Configuration conf, FileSystem files, Path file) throws IOException {
    Codecs.install();
    try (HFile.Reader reader = HFile.createReader(files, file, CacheConfig.DISABLED, true, conf)) {
      return reader.getEntries();
    }
  }
}
