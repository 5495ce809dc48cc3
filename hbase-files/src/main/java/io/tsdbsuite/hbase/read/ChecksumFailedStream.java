package io.tsdbsuite.hbase.read;

import java.io.IOException;
import org.apache.hadoop.fs.FSInputStream;

/**
 * The stream that HBase gets to read a block again without verifying its checksum. It records the
 * position and delivers no byte.
 */
final class ChecksumFailedStream extends FSInputStream {
  private final String file;
  private final ReadTracker tracker;
  private long position;

  ChecksumFailedStream(String file, ReadTracker tracker) {
    this.file = file;
    this.tracker = tracker;
  }

  @Override
  public void seek(long pos) {
    position = pos;
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public int read() throws IOException {
    throw refuse(position);
  }

  @Override
  public int read(byte[] buffer, int off, int len) throws IOException {
    throw refuse(position);
  }

  @Override
  public int read(long pos, byte[] buffer, int off, int len) throws IOException {
    throw refuse(pos);
  }

  @Override
  public boolean seekToNewSource(long targetPos) {
    return false;
  }

  private IOException refuse(long pos) {
    tracker.at(file, pos);
    return new IOException("HBase checksum verification failed");
  }
}
