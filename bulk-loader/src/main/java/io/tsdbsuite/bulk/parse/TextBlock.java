package io.tsdbsuite.bulk.parse;

import java.util.Arrays;

/**
 * A piece of the text of a part: whole lines, or whole elements of a JSON array. A {@link
 * BlockSource} fills it, a {@link BlockParser} parses it; the memory is reused. One thread at a
 * time.
 */
public final class TextBlock {
  /** The array grows by multiples of it, bytes. */
  private static final int GROWTH = 1 << 16;

  /** The text; its array goes on for {@link Words#SLACK} bytes behind it. */
  byte[] bytes = new byte[0];

  /** Length of the text, bytes. */
  int length;

  /** Offset of its first byte in the part. */
  long from;

  /** Offset behind its last byte, and behind bytes that were left out, in the part. */
  long to;

  /** Lines before it, -1 if the source does not count them. */
  long linesBefore = -1;

  /** Whether the text is the beginning of one line that is too long. */
  boolean tooLong;

  /** Elements of JSON in the text. */
  final JsonElements elements = new JsonElements();

  /** Whether the text behind it is broken, so that reading cannot go on there. */
  boolean partial;

  /** Lines in it, set by the parser. */
  long lines;

  /** Points and rejects in it, set by the parser. */
  long points;

  /** An empty block. */
  public TextBlock() {}

  /** The array that holds the text. */
  public byte[] array() {
    return bytes;
  }

  /** Whether the text behind it is broken: its end is no position to go on from. */
  public boolean isPartial() {
    return partial;
  }

  /** Offset behind it in the decompressed part, bytes. */
  public long to() {
    return to;
  }

  /**
   * Number of lines before it.
   *
   * @param counted lines of the blocks before it
   */
  public long linesBefore(long counted) {
    return linesBefore < 0 ? counted : linesBefore;
  }

  /** Its number of lines, once it was parsed. */
  public long lines() {
    return lines;
  }

  /** Its number of points and rejects, once it was parsed. */
  public long points() {
    return points;
  }

  /** Adds bytes; the offset at which they are. */
  int append(byte[] from, int off, int len) {
    int at = length;
    if (bytes.length < at + len + Words.SLACK) {
      room(Math.max(at + len, 2 * at));
    }
    System.arraycopy(from, off, bytes, at, len);
    length = at + len;
    return at;
  }

  /** Makes room for a text; what the block holds up to {@code length} stays. */
  void room(int bytesOfText) {
    if (bytes.length < bytesOfText + Words.SLACK) {
      bytes = Arrays.copyOf(bytes, (bytesOfText / GROWTH + 1) * GROWTH + Words.SLACK);
    }
  }
}
