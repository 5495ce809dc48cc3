package io.tsdbsuite.hbase.read;

import io.tsdbsuite.hbase.snapshot.SnapshotFile;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;

/**
 * The input of an HFile with HBase's checksums verified on every block.
 *
 * <p>HBase leaves verification to the file system unless it runs in a region server, and after a
 * failed verification it reads the block again without verification, relying on HDFS's checksum. On
 * S3 a wrong byte would pass unnoticed. This input verifies every block from the first one, and
 * refuses the second read.
 */
final class VerifyingInput extends FSDataInputStreamWrapper {
  /**
   * Bytes at the end of a large file that are read when it is opened: trailer, root index,
   * metadata.
   */
  private static final long TAIL_BYTES = 64 << 10;

  private static final long LEAST_TAIL_BYTES = 8 << 10;

  /**
   * A smaller file is read from this fraction of its length, because most of it may not be needed.
   */
  private static final long TAIL_SHARE = 64;

  private final FSDataInputStream stream;
  private final ReadAhead readAhead;
  private final String file;
  private final ReadTracker tracker;
  private boolean verify;

  private VerifyingInput(
      FSDataInputStream stream, ReadAhead readAhead, Path path, ReadTracker tracker) {
    super(stream);
    this.stream = stream;
    this.readAhead = readAhead;
    this.file = path.toString();
    this.tracker = tracker;
    this.readerPath = path;
  }

  /**
   * Opens an HFile. Of a file that is not confirmed this reads the end, by one request.
   *
   * @param path path of the file
   * @param readPolicy Hadoop's {@code fs.option.openfile.read.policy}, for example {@code random}
   */
  static VerifyingInput open(
      FileSystem fs, Path path, SnapshotFile file, String readPolicy, ReadTracker tracker)
      throws IOException {
    boolean confirmed = file.confirmed();
    Path other = file.movedTo() == null || !confirmed ? null : new Path(file.movedTo());
    long length = file.length();
    FSDataInputStream in;
    try {
      in = MovedFile.open(fs, path, other, confirmed ? length : length + 1, readPolicy);
    } catch (IOException e) {
      throw tracker.failed(e);
    } catch (RuntimeException e) {
      throw tracker.failed(new IOException("HFile " + path + " cannot be opened: " + e, e));
    }
    ReadAhead readAhead =
        new ReadAhead(new TrackedStream(in, length, tracker), path.toString(), tracker);
    long tail = Math.max(LEAST_TAIL_BYTES, Math.min(TAIL_BYTES, length / TAIL_SHARE));
    long begin = Math.max(0, length - tail);
    readAhead.expect(begin, length, Math.toIntExact(tail));
    if (!confirmed) {
      try {
        readAhead.fetchEnd(begin, length);
      } catch (IOException e) {
        readAhead.close();
        throw e;
      }
    }
    return new VerifyingInput(new FSDataInputStream(readAhead), readAhead, path, tracker);
  }

  /** Announces the range that will be read next; see {@link ReadAhead#expect}. */
  void expect(long begin, long end, int most) {
    readAhead.expect(begin, end, most);
  }

  @Override
  public void prepareForBlockReader(boolean forceNoHBaseChecksum) {
    verify = !forceNoHBaseChecksum;
  }

  @Override
  public boolean shouldUseHBaseChecksum() {
    return verify;
  }

  @Override
  public FSDataInputStream getStream(boolean useHBaseChecksum) {
    return stream;
  }

  @Override
  public FSDataInputStream fallbackToFsChecksum(int offCount) {
    return new FSDataInputStream(new ChecksumFailedStream(file, tracker));
  }

  @Override
  public void checksumOk() {
    // Verification is never switched off, so it is never switched on again.
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      // All bytes that were wanted have been read.
    }
  }
}
