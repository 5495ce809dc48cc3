package io.tsdbsuite.hbase.read;

import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;

/**
 * A stream over an HFile that reports requests and failures of storage to a {@link ReadTracker}.
 * Any exception of a file system for bytes within the file is a failure of storage: some file
 * systems throw RuntimeExceptions, and some an EOFException when a connection breaks. Only a
 * position outside the file comes from corrupt bytes.
 */
final class TrackedStream extends FSInputStream {
  private final FSDataInputStream in;
  private final long length;
  private final ReadTracker tracker;

  /**
   * @param length bytes of the file
   */
  TrackedStream(FSDataInputStream in, long length, ReadTracker tracker) {
    this.in = in;
    this.length = length;
    this.tracker = tracker;
  }

  /** A request to storage. */
  @FunctionalInterface
  private interface Request {
    /** Returns the number of bytes read, negative for none. */
    int run() throws IOException;
  }

  private int ask(long position, int wanted, Request request) throws IOException {
    tracker.reading();
    int count;
    try {
      count = request.run();
    } catch (IOException | RuntimeException e) {
      throw failed(position, wanted, e);
    }
    if (count < 0 && wanted > 0 && position < length) {
      throw tracker.failed(
          new EOFException("the stream ended at byte " + position + " of " + length));
    }
    tracker.delivered(count);
    return count;
  }

  private IOException failed(long position, int wanted, Exception e) {
    IOException failure =
        e instanceof IOException io ? io : new IOException("the file system failed: " + e, e);
    boolean beyond = e instanceof EOFException && position + wanted > length;
    boolean nonsense = position < 0 || position > length || wanted < 0 || beyond;
    return nonsense ? failure : tracker.failed(failure);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int off, int len) throws IOException {
    return ask(in.getPos(), len, () -> in.read(buffer, off, len));
  }

  @Override
  public int read(long position, byte[] buffer, int off, int len) throws IOException {
    return ask(position, len, () -> in.read(position, buffer, off, len));
  }

  @Override
  public void readFully(long position, byte[] buffer, int off, int len) throws IOException {
    int unused =
        ask(
            position,
            len,
            () -> {
              in.readFully(position, buffer, off, len);
              return len;
            });
  }

  @Override
  public void seek(long position) throws IOException {
    try {
      in.seek(position);
    } catch (IOException | RuntimeException e) {
      throw failed(position, 0, e);
    }
  }

  @Override
  public long getPos() throws IOException {
    return in.getPos();
  }

  @Override
  public boolean seekToNewSource(long targetPos) throws IOException {
    return in.seekToNewSource(targetPos);
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
