package io.tsdbsuite.hbase.read;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** The local file system, which fails once where it is told to. */
final class FaultyFileSystem extends RawLocalFileSystem {

  /** What happens when a byte is read. */
  enum Fault {
    /** As EMRFS does. */
    RUNTIME,
    /** As S3A's HttpChannelEOFException. */
    EOF,
    /** A connection that broke, seen as the end of the file. */
    EARLY_END,
    /** A live HBase has moved the file to its archive, as HDFS tells of it. */
    MOVED,
    /** The byte is another one. */
    WRONG_BYTE
  }

  private long at = -1;
  private Fault fault;

  static FaultyFileSystem create() throws IOException {
    FaultyFileSystem fs = new FaultyFileSystem();
    fs.initialize(URI.create("file:///"), new Configuration());
    return fs;
  }

  /** The next reading of this byte of a file fails; the one after that does not. */
  void fail(Fault next, long position) {
    fault = next;
    at = position;
  }

  /** Whether the fault has happened. */
  boolean hasFailed() {
    return at < 0;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(new Faulty(super.open(path, bufferSize)));
  }

  private final class Faulty extends FSInputStream {
    private final FSDataInputStream in;

    private Faulty(FSDataInputStream in) {
      this.in = in;
    }

    private int check(long position, byte[] buffer, int off, int count) throws IOException {
      if (at < position || at >= position + count) {
        return count;
      }
      long failed = at;
      at = -1;
      switch (fault) {
        case RUNTIME -> throw new IllegalStateException("connection pool shut down");
        case MOVED -> throw new FileNotFoundException("File does not exist");
        case EOF -> throw new EOFException("connection closed");
        case EARLY_END -> {
          return -1;
        }
        default -> {
          buffer[off + (int) (failed - position)] ^= 1;
          return count;
        }
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int off, int len) throws IOException {
      long position = in.getPos();
      return check(position, buffer, off, in.read(buffer, off, len));
    }

    @Override
    public int read(long position, byte[] buffer, int off, int len) throws IOException {
      return check(position, buffer, off, in.read(position, buffer, off, len));
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
