package io.tsdbsuite.bulk.input;

import io.tsdbsuite.bulk.parse.Position;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/**
 * A file, or the slice of a plain file of lines: the lines that begin in it. Positions in it count
 * from its first byte.
 *
 * <pre>
 *   file    line one\nline two\nline three\nline four\n
 *   slices  [              )[                 )[      )
 *   lines    one        two      three      four            nothing begins in the third
 * </pre>
 *
 * @param file the file
 * @param from first byte of the slice in the file, 0 for a whole file
 * @param to behind its last byte, {@link Long#MAX_VALUE} for the end of the file
 */
public record InputPart(InputFile file, long from, long to) {
  /** A whole file. */
  static InputPart whole(InputFile file) {
    return new InputPart(file, 0, Long.MAX_VALUE);
  }

  /** Whether this is less than the file. */
  public boolean isSlice() {
    return from > 0 || to < Long.MAX_VALUE;
  }

  /** The file's name, and the slice if it is one. */
  public String name() {
    if (!isSlice()) {
      return file.name();
    }
    return file.name() + " from byte " + from;
  }

  /** Offset in the part at which no further line begins. */
  long end() {
    return to == Long.MAX_VALUE ? to : to - from;
  }

  /**
   * Opens the part.
   *
   * @param position position at which to continue, {@link Position#START} for the first line that
   *     begins in it
   * @param ofLines whether the format can be read from any line on; otherwise the stream begins
   *     with the file
   * @param count receives the stored bytes of each read
   * @throws JobException when the file cannot be opened or read
   */
  Opened open(Position position, boolean ofLines, LongConsumer count) {
    if (!ofLines) {
      return new Opened(file.open(0, count), position);
    }
    if (position.bytes() > 0 || from == 0) {
      return new Opened(file.open(from + position.bytes(), count), position);
    }
    // A line begins at the first byte only if the one before it ends a line.
    LineStart in = new LineStart(file.open(from - 1, count));
    try {
      return new Opened(in, new Position(in.skipLine() - 1, position.lines(), position.points()));
    } catch (IOException | RuntimeException e) {
      in.closeQuietly();
      throw e instanceof JobException known
          ? known
          : JobException.outside(file.name() + ": cannot be read: " + StorageFailures.reason(e), e);
    }
  }

  /**
   * An opened part.
   *
   * @param in decompressed
   * @param position position of its first byte
   */
  record Opened(InputStream in, Position position) {}

  /** A stream that can be brought to the beginning of a line. */
  private static final class LineStart extends BufferedInputStream {
    LineStart(InputStream in) {
      super(in, 1 << 16);
    }

    /** Reads to the end of the line, or of the stream; the bytes that were read. */
    long skipLine() throws IOException {
      long bytes = 0;
      int c;
      do {
        c = read();
        bytes += c < 0 ? 0 : 1;
      } while (c >= 0 && c != '\n');
      return bytes;
    }

    void closeQuietly() {
      try {
        close();
      } catch (IOException e) {
        // The earlier failure is reported.
      }
    }
  }
}
