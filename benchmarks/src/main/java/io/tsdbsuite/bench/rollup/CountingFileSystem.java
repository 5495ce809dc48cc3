package io.tsdbsuite.bench.rollup;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system with counters of read calls and bytes. Hadoop creates it by {@code
 * fs.file.impl}. Like S3 it has no checksum files; Hadoop's default local file system reads one
 * beside each file.
 */
public final class CountingFileSystem extends RawLocalFileSystem {
  private static final AtomicLong READS = new AtomicLong();
  private static final AtomicLong BYTES = new AtomicLong();

  /** Called by Hadoop. */
  public CountingFileSystem() {}

  /** Read calls since the start of the JVM. */
  static long reads() {
    return READS.get();
  }

  /** Bytes read since the start of the JVM. */
  static long bytes() {
    return BYTES.get();
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    return new FSDataInputStream(new CountingStream(super.open(file, bufferSize)));
  }

  @Override
  public void setPermission(Path path, FsPermission permission) {
    // Without a native library Hadoop starts a process for it, for each HFile that a part writes.
  }

  private static int count(int bytes) {
    READS.incrementAndGet();
    BYTES.addAndGet(Math.max(0, bytes));
    return bytes;
  }

  /** Counts read calls and bytes. */
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
