package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;
import java.io.InputStream;

/**
 * Splits a stream into lines and parses them. Lines end with {@code \n} or {@code \r\n}; the last
 * line may have no end. Blank lines and comments, lines whose first character is {@code #}, have no
 * point. A byte order mark before the first line is skipped. The reader rejects a line longer than
 * {@link #MAX_LINE} with its first {@link #MAX_LINE} bytes as text, and skips the rest.
 */
final class LineReader implements PointReader, BlockParser {
  /** The longest line, bytes. */
  static final int MAX_LINE = 1 << 20;

  /** Bytes read at a time, small enough to stay in a core's cache while they are parsed. */
  static final int CHUNK = 1 << 18;

  private static final byte[] NOTHING = {};

  private final LineParser parser;

  /** For streams; a reader of blocks needs none. */
  private byte[] own = NOTHING;

  private byte[] buffer = NOTHING;

  private InputStream in = InputStream.nullInputStream();
  private PointHandler handler = IgnoringHandler.INSTANCE;
  private long base;
  private int start;
  private int limit;
  private boolean ended;
  private long lines;
  private long points;

  LineReader(LineParser parser) {
    this.parser = parser;
  }

  @Override
  public void read(InputStream stream, Position from, long end, PointHandler to)
      throws IOException {
    if (own == NOTHING) {
      own = new byte[MAX_LINE + CHUNK + Words.SLACK];
    }
    buffer = own;
    in = stream;
    handler = to;
    base = from.bytes();
    start = 0;
    limit = 0;
    ended = false;
    lines = from.lines();
    points = from.points();
    boolean goOn = true;
    boolean told = false;
    boolean first = base == 0;
    while (goOn && base + start < end && fill()) {
      if (first) {
        start = ByteOrderMark.length(buffer, 0, limit);
        first = false;
      }
      if (parseLines(end)) {
        told = true;
        goOn = handler.at(position());
      }
    }
    if (!told) {
      handler.at(position());
    }
  }

  @Override
  public void parse(TextBlock block, long line, PointHandler to) throws IOException {
    buffer = block.bytes;
    handler = to;
    base = block.from;
    start = base == 0 ? ByteOrderMark.length(buffer, 0, block.length) : 0;
    limit = block.length;
    ended = true;
    lines = line;
    points = 0;
    if (block.tooLong) {
      lines++;
      rejectLong(start, MAX_LINE);
    } else {
      parseLines(Long.MAX_VALUE);
    }
    block.lines = lines - line;
    block.points = points;
    buffer = NOTHING;
    handler = IgnoringHandler.INSTANCE;
  }

  private Position position() {
    return new Position(base + start, lines, points);
  }

  /** Fills the buffer after the unparsed bytes; returns false when no bytes are left. */
  private boolean fill() throws IOException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, limit - start);
      base += start;
      limit -= start;
      start = 0;
    }
    if (!ended) {
      int wanted = Math.min(CHUNK, MAX_LINE + CHUNK - limit);
      int got = in.readNBytes(buffer, limit, wanted);
      limit += got;
      ended = got < wanted;
    }
    return limit > 0;
  }

  /**
   * Parses all complete lines that begin before {@code end}; returns false if the buffer has no
   * complete line.
   */
  private boolean parseLines(long end) throws IOException {
    int whole = limit;
    while (whole > start && buffer[whole - 1] != '\n') {
      whole--;
    }
    if (ended) {
      whole = limit;
    } else if (whole == start) {
      // One byte more, for a \r.
      if (limit <= MAX_LINE + 1) {
        return false;
      }
      lines++;
      rejectLong(start, MAX_LINE);
      skipLine();
      return true;
    }
    int stop = (int) Math.min(whole, end - base);
    int p = start;
    while (p < stop) {
      int newline = Words.newline(buffer, p, whole);
      lines++;
      parseLine(p, newline);
      p = newline + 1;
    }
    start = Math.min(p, limit);
    return true;
  }

  private void parseLine(int from, int to) throws IOException {
    byte[] b = buffer;
    int off = from;
    int end = to;
    if (end > off && b[end - 1] == '\r') {
      end--;
    }
    while (off < end && Words.isBlank(b[off])) {
      off++;
    }
    while (end > off && Words.isBlank(b[end - 1])) {
      end--;
    }
    if (off == end || b[off] == '#') {
      if (off < end) {
        parser.comment(b, off, end, lines);
      }
      handler.withoutPoint();
    } else if (end - off > MAX_LINE) {
      rejectLong(off, MAX_LINE);
    } else {
      points += parser.parse(b, off, end, lines, handler);
    }
  }

  private void rejectLong(int off, int len) throws IOException {
    points++;
    handler.rejected(
        RejectReason.MALFORMED_LINE,
        lines,
        "a line must not be longer than " + MAX_LINE + " bytes" + parser.longLineHint(),
        buffer,
        off,
        len);
  }

  /** Skips the rest of the line at the start of the buffer. */
  private void skipLine() throws IOException {
    int newline = limit;
    while (newline == limit && !ended) {
      base += limit;
      limit = in.readNBytes(buffer, 0, CHUNK);
      ended = limit < CHUNK;
      newline = Words.newline(buffer, 0, limit);
    }
    start = Math.min(newline + 1, limit);
  }
}
