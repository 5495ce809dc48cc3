package io.tsdbsuite.bench.rollup;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * The local file system, which counts what it is asked for: files opened, read calls, bytes. Hadoop
 * makes it when {@code fs.file.impl} names it. It has no checksums of its own, like S3 and unlike
 * Hadoop's usual one, which reads a file of checksums beside each.
 */
public final class CountingFileSystem extends RawLocalFileSystem {
  private static final AtomicLong OPENS = new AtomicLong();
  private static final AtomicLong READS = new AtomicLong();
  private static final AtomicLong BYTES = new AtomicLong();

  /** Called by Hadoop. */
  public CountingFileSystem() {}

  /**
   * What was asked for since the JVM began.
   *
   * @param opens files opened
   * @param reads read calls
   * @param bytes delivered
   */
  record Counts(long opens, long reads, long bytes) {
    Counts since(Counts before) {
      return new Counts(opens - before.opens, reads - before.reads, bytes - before.bytes);
    }
  }

  static Counts counts() {
    return new Counts(OPENS.get(), READS.get(), BYTES.get());
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    OPENS.incrementAndGet();
    return new FSDataInputStream(new CountingStream(super.open(file, bufferSize)));
  }

  private static int count(int bytes) {
    READS.incrementAndGet();
    BYTES.addAndGet(Math.max(0, bytes));
    return bytes;
  }

  /** Counts each call. */
  private static final class CountingStream extends FSInputStream {
    private final FSDataInputStream in;

    CountingStream(FSDataInputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      count(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] buffer, int off, int len) throws IOException {
      return count(in.read(buffer, off, len));
    }

    @Override
    public int read(long position, byte[] buffer, int off, int len) throws IOException {
      return count(in.read(position, buffer, off, len));
    }

    @Override
    public void readFully(long position, byte[] buffer, int off, int len) throws IOException {
      in.readFully(position, buffer, off, len);
      count(len);
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
    public boolean seekToNewSource(long position) throws IOException {
      return in.seekToNewSource(position);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
