package io.tsdbsuite.bulk.parse;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream of JSON, byte by byte, that keeps the bytes since a mark, up to 1 MB, and counts lines
 * and columns.
 */
final class JsonText {
  /** The longest text that is kept, bytes. */
  static final int MAX_KEPT = 1 << 20;

  private static final int CHUNK = 1 << 16;

  /** The bytes; the kept ones begin at {@link #mark}. */
  byte[] buffer = new byte[2 * CHUNK + Words.SLACK];

  /** First byte that is kept, -1 if none is. */
  int mark = -1;

  private final boolean fast;
  private InputStream in = InputStream.nullInputStream();
  private int pos;
  private int limit;
  private long base;
  private long line;
  private long lineStart;
  private boolean tooLong;
  private int cut;
  private @Nullable IOException failure;

  /**
   * A text.
   *
   * @param fast whether {@link #takeObject} takes something
   */
  JsonText(boolean fast) {
    this.fast = fast;
  }

  void open(InputStream stream) {
    in = stream;
    pos = 0;
    limit = 0;
    base = 0;
    line = 1;
    lineStart = 0;
    mark = -1;
    tooLong = false;
    failure = null;
  }

  /** Skips a byte order mark. */
  void skipByteOrderMark() throws IOException {
    if (peek() == (ByteOrderMark.UTF_8[0] & 0xff)) {
      pos += ByteOrderMark.length(buffer, pos, limit);
    }
  }

  /** The next byte, -1 at the end. */
  int peek() throws IOException {
    return pos < limit || fill() ? buffer[pos] & 0xff : -1;
  }

  /**
   * A later byte, -1 behind the end. Not while more is read than is kept.
   *
   * @param ahead bytes before it, from the next one on
   */
  int peek(int ahead) throws IOException {
    while (pos + ahead >= limit) {
      if (!fill()) {
        return -1;
      }
    }
    return buffer[pos + ahead] & 0xff;
  }

  /** Takes the byte that {@link #peek()} saw. */
  void take() {
    if (buffer[pos++] == '\n') {
      line++;
      lineStart = base + pos;
    }
  }

  /**
   * Takes an object or array, by its brackets and quotes, if it ends in its line and in the buffer;
   * else takes nothing.
   */
  boolean takeObject() {
    byte[] b = buffer;
    int p = pos;
    int depth = 0;
    do {
      byte c = fast && p < limit ? b[p++] : (byte) '\n';
      if (c == '"') {
        p = Words.stringEnd(b, p, limit) + 1;
      }
      if (c == '\n' || p == 0) {
        return false;
      }
      // [ and { differ in one bit, ] and } too.
      depth += (c | 0x20) == '{' ? 1 : (c | 0x20) == '}' ? -1 : 0;
    } while (depth > 0);
    pos = p;
    return true;
  }

  /** Where the next byte is in the buffer. */
  int position() {
    return pos;
  }

  /** Where the bytes in the buffer end. */
  int limit() {
    return limit;
  }

  /** Takes bytes of the buffer without a line break. */
  void takeTo(int position) {
    pos = position;
  }

  /** Keeps the bytes from here on. */
  void mark() {
    mark = pos;
    tooLong = false;
    cut = Integer.MAX_VALUE;
  }

  /** Stops keeping bytes. */
  void unmark() {
    mark = -1;
    tooLong = false;
  }

  /** Number of bytes kept; fewer than were read if the text is too long. */
  int kept() {
    return Math.min(cut, tooLong ? MAX_KEPT : Math.min(MAX_KEPT, pos - mark));
  }

  /** Forgets all but the first of the kept bytes. */
  void keepOnly(int bytes) {
    cut = bytes;
  }

  /** Whether more was read since the mark than is kept. */
  boolean isTooLong() {
    return tooLong || pos - mark > MAX_KEPT;
  }

  /** Offset of the next byte in the stream. */
  long offset() {
    return base + pos;
  }

  /** Line of the next byte, from 1. */
  long line() {
    return line;
  }

  /** Place of the next byte in its line, from 1. */
  long column() {
    return base + pos - lineStart + 1;
  }

  private boolean fill() throws IOException {
    int keep = mark < 0 ? pos : mark;
    if (mark >= 0 && pos - mark > MAX_KEPT) {
      tooLong = true;
    }
    if (tooLong) {
      // The kept bytes stay at the front, the others make room.
      System.arraycopy(buffer, mark, buffer, 0, MAX_KEPT);
      base += pos - MAX_KEPT;
      mark = 0;
      pos = MAX_KEPT;
      limit = MAX_KEPT;
    } else {
      System.arraycopy(buffer, keep, buffer, 0, limit - keep);
      base += keep;
      mark = mark < 0 ? -1 : 0;
      pos -= keep;
      limit -= keep;
    }
    if (buffer.length - Words.SLACK - limit < CHUNK) {
      byte[] larger = new byte[2 * buffer.length];
      System.arraycopy(buffer, 0, larger, 0, limit);
      buffer = larger;
    }
    int got = read();
    limit += got;
    return got > 0;
  }

  /** Reads on. A stream that has failed once fails again: what it would give now may be wrong. */
  private int read() throws IOException {
    if (failure != null) {
      throw failure;
    }
    try {
      return in.readNBytes(buffer, limit, CHUNK);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }
}
