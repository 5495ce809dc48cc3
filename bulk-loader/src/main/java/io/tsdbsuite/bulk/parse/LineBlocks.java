package io.tsdbsuite.bulk.parse;

import java.io.IOException;
import java.io.InputStream;

/**
 * Blocks of whole lines, cut where {@link LineReader} tells its positions. The last line may have
 * no end. A line that is too long is a block by itself, of which the rest is left out.
 */
final class LineBlocks implements BlockSource {
  private final InputStream in;
  private long base;

  /** The beginning of a line that the block before did not take. */
  private byte[] rest = new byte[0];

  private int restLength;
  private boolean ended;

  /**
   * Cuts a stream.
   *
   * @param base offset of its first byte in the part
   */
  LineBlocks(InputStream in, long base) {
    this.in = in;
    this.base = base;
  }

  @Override
  public boolean next(TextBlock block) throws IOException {
    block.from = base;
    block.tooLong = false;
    block.room(restLength + LineReader.CHUNK);
    System.arraycopy(rest, 0, block.bytes, 0, restLength);
    int length = restLength;
    int whole = 0;
    while (whole == 0) {
      if (!ended) {
        int wanted = Math.min(LineReader.CHUNK, LineReader.MAX_LINE + LineReader.CHUNK - length);
        block.room(length + wanted);
        int got = in.readNBytes(block.bytes, length, wanted);
        length += got;
        ended = got < wanted;
      }
      whole = ended ? length : lastLineEnd(block.bytes, length);
      if (length == 0) {
        return false;
      }
      if (whole == 0 && length > LineReader.MAX_LINE + 1) {
        tooLong(block, length);
        return true;
      }
    }
    keep(block.bytes, whole, length);
    block.length = whole;
    base += whole;
    block.to = base;
    return true;
  }

  /** Behind the last end of a line, 0 if there is none. */
  private static int lastLineEnd(byte[] b, int length) {
    int end = length;
    while (end > 0 && b[end - 1] != '\n') {
      end--;
    }
    return end;
  }

  private void keep(byte[] b, int from, int to) {
    restLength = to - from;
    if (rest.length < restLength) {
      rest = new byte[restLength];
    }
    System.arraycopy(b, from, rest, 0, restLength);
  }

  /** Leaves out the rest of the line. */
  private void tooLong(TextBlock block, int length) throws IOException {
    block.tooLong = true;
    block.length = length;
    base += length;
    byte[] more = new byte[LineReader.CHUNK + Words.SLACK];
    int got = 0;
    int newline = 0;
    while (newline == got && !ended) {
      base += got;
      got = in.readNBytes(more, 0, LineReader.CHUNK);
      ended = got < LineReader.CHUNK;
      newline = Words.newline(more, 0, got);
    }
    int next = Math.min(newline + 1, got);
    base += next;
    keep(more, next, got);
    block.to = base;
  }
}
