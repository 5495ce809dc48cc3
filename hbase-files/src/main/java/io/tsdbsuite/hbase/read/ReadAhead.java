package io.tsdbsuite.hbase.read;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * A stream over an HFile that fetches neighbouring blocks together. HBase reads one block at a
 * time, and on S3 each is a request. A caller announces the range that it will read by {@link
 * #expect}, and the stream fetches the range in pieces of up to the allowed size.
 *
 * <pre>
 *   file      ....|block|block|block|block|block|....
 *   expected       from                        to
 *   requests       |-------- piece --------|---|          never beyond "to"
 * </pre>
 */
final class ReadAhead extends FSInputStream
    implements ByteBufferPositionedReadable, StreamCapabilities {
  private final TrackedStream in;
  private final String file;
  private final ReadTracker tracker;
  private int piece;

  /** The expected range. */
  private long from;

  private long to;

  /** The fetched bytes. */
  private byte[] buffer = {};

  private long bufferAt;
  private int buffered;

  private long position;

  ReadAhead(TrackedStream in, String file, ReadTracker tracker) {
    this.in = in;
    this.file = file;
    this.tracker = tracker;
  }

  /**
   * Announces the range that will be read next, completely and in order.
   *
   * @param begin bytes from the start of the file, inclusive
   * @param end exclusive; at most the file's length
   * @param most maximum number of bytes to fetch at once
   */
  void expect(long begin, long end, int most) {
    from = begin;
    to = end;
    piece = most;
  }

  /**
   * Fetches the end of the file, and requires that it is the end: the request asks for one byte
   * more.
   *
   * @param begin bytes from the start of the file
   * @param length bytes of the file
   * @throws IOException when there is such a byte, the file ends earlier or storage fails
   */
  void fetchEnd(long begin, long length) throws IOException {
    tracker.at(file, begin);
    int count = Math.toIntExact(length - begin);
    byte[] end = new byte[count + 1];
    int fetched = 0;
    while (fetched <= count) {
      int more = in.read(begin + fetched, end, fetched, end.length - fetched);
      if (more < 0) {
        break;
      }
      fetched += more;
    }
    if (fetched > count) {
      throw new IOException("the file goes on behind its " + length + " bytes");
    }
    buffer = end;
    bufferAt = begin;
    buffered = count;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int count = read(one, 0, 1);
    return count <= 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int off, int len) throws IOException {
    int count = buffered(position, bytes, off, len);
    if (count == 0) {
      if (in.getPos() != position) {
        in.seek(position);
      }
      count = in.read(bytes, off, len);
    }
    position += Math.max(0, count);
    return count;
  }

  /** With this method HBase reads directly into the block's buffer, without another array. */
  @Override
  public boolean hasCapability(String capability) {
    return StreamCapabilities.PREADBYTEBUFFER.equals(capability);
  }

  @Override
  public int read(long at, ByteBuffer into) throws IOException {
    int count = into.remaining();
    if (into.hasArray()) {
      count = read(at, into.array(), into.arrayOffset() + into.position(), count);
      into.position(into.position() + Math.max(0, count));
    } else {
      byte[] bytes = new byte[count];
      count = read(at, bytes, 0, count);
      into.put(bytes, 0, Math.max(0, count));
    }
    return count;
  }

  @Override
  public void readFully(long at, ByteBuffer into) throws IOException {
    long next = at;
    while (into.hasRemaining()) {
      int count = read(next, into);
      if (count < 0) {
        throw new EOFException(file + " ends before position " + (next + into.remaining()));
      }
      next += count;
    }
  }

  @Override
  public int read(long at, byte[] bytes, int off, int len) throws IOException {
    int count = buffered(at, bytes, off, len);
    return count == 0 ? in.read(at, bytes, off, len) : count;
  }

  /**
   * Reads from the fetched bytes, and fetches a piece if necessary; returns 0 outside the expected
   * range.
   */
  private int buffered(long at, byte[] bytes, int off, int len) throws IOException {
    tracker.at(file, at);
    if (!isBuffered(at)) {
      if (at < from || at >= to || len == 0) {
        return 0;
      }
      long begin = to - from <= piece ? from : at;
      int count = (int) Math.min(piece, to - begin);
      if (at == begin && count <= len) {
        return 0;
      }
      fetch(begin, count);
      tracker.at(file, at);
    }
    int count = (int) Math.min(len, bufferAt + buffered - at);
    System.arraycopy(buffer, (int) (at - bufferAt), bytes, off, count);
    return count;
  }

  private boolean isBuffered(long at) {
    return at >= bufferAt && at < bufferAt + buffered;
  }

  private void fetch(long begin, int count) throws IOException {
    buffered = 0;
    if (buffer.length < count) {
      buffer = new byte[count];
    }
    in.readFully(begin, buffer, 0, count);
    bufferAt = begin;
    buffered = count;
  }

  @Override
  public void seek(long target) throws IOException {
    tracker.at(file, target);
    if (target < 0) {
      throw new EOFException("position " + target + " is before the start of " + file);
    }
    position = target;
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public boolean seekToNewSource(long target) throws IOException {
    return in.seekToNewSource(target);
  }

  @Override
  public void close() throws IOException {
    buffer = new byte[0];
    buffered = 0;
    in.close();
  }
}
