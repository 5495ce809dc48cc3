package io.tsdbsuite.hbase.load;

import io.tsdbsuite.hbase.Codecs;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.jspecify.annotations.Nullable;

/** The cells of a finished HFile, in HBase's order. */
public final class HFileCells implements Closeable {
  private final HFile.Reader reader;
  private final HFileScanner scanner;
  private boolean more;

  /**
   * Opens a file.
   *
   * @param file of {@link HFileDir#waiting()}
   * @throws IOException when it cannot be read
   */
  public HFileCells(HFileDir dir, FileStatus file) throws IOException {
    Codecs.install();
    this.reader =
        HFile.createReader(dir.files(), file.getPath(), CacheConfig.DISABLED, true, dir.conf());
    try {
      this.scanner = reader.getScanner(dir.conf(), false, false);
      this.more = scanner.seekTo();
    } catch (IOException e) {
      reader.close();
      throw e;
    }
  }

  /** Key of the first row; empty if the file has no cell. */
  public Optional<byte[]> firstRow() {
    return reader.getFirstRowKey();
  }

  /** Key of the last row; empty if the file has no cell. */
  public Optional<byte[]> lastRow() {
    return reader.getLastRowKey();
  }

  /** The next cell, a copy; null at the end. */
  public @Nullable Cell next() throws IOException {
    if (!more) {
      return null;
    }
    Cell cell = KeyValueUtil.copyToNewKeyValue(scanner.getCell());
    more = scanner.next();
    return cell;
  }

  @Override
  public void close() throws IOException {
    try (reader) {
      scanner.close();
    }
  }
}
