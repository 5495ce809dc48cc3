package io.tsdbsuite.rollup.read;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;

/** A stream over an HFile that tells a {@link ReadTracker} what storage was asked for. */
final class TrackedStream extends FSInputStream {
  private final FSDataInputStream in;
  private final ReadTracker tracker;

  TrackedStream(FSDataInputStream in, ReadTracker tracker) {
    this.in = in;
    this.tracker = tracker;
  }

  @Override
  public int read() throws IOException {
    tracker.reading();
    try {
      int value = in.read();
      tracker.delivered(value < 0 ? 0 : 1);
      return value;
    } catch (IOException e) {
      throw tracker.failed(e);
    }
  }

  @Override
  public int read(byte[] buffer, int off, int len) throws IOException {
    tracker.reading();
    try {
      int count = in.read(buffer, off, len);
      tracker.delivered(count);
      return count;
    } catch (IOException e) {
      throw tracker.failed(e);
    }
  }

  @Override
  public int read(long position, byte[] buffer, int off, int len) throws IOException {
    tracker.reading();
    try {
      int count = in.read(position, buffer, off, len);
      tracker.delivered(count);
      return count;
    } catch (IOException e) {
      throw tracker.failed(e);
    }
  }

  @Override
  public void readFully(long position, byte[] buffer, int off, int len) throws IOException {
    tracker.reading();
    try {
      in.readFully(position, buffer, off, len);
      tracker.delivered(len);
    } catch (java.io.EOFException e) {
      // The file is shorter than its own bytes say.
      throw e;
    } catch (IOException e) {
      throw tracker.failed(e);
    }
  }

  @Override
  public void seek(long position) throws IOException {
    try {
      in.seek(position);
    } catch (java.io.EOFException e) {
      // A position past the end comes from bytes that make no sense, not from storage.
      throw e;
    } catch (IOException e) {
      throw tracker.failed(e);
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
