package io.tsdbsuite.synthetic.text;

import io.tsdbsuite.synthetic.ValueGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes lines of one format to a stream through its own buffer. Not thread-safe. */
final class LineWriter {
  private static final int BUFFER = 1 << 18;
  private static final byte[] JSON_VALUE = ",\"value\":".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST_BESIDES = 2 * DecimalWriter.MOST + 16;

  private final LineFormat format;
  private final boolean inMillis;
  private final byte[][] heads;
  private final byte[][] tails;
  private final OutputStream out;
  private byte[] buffer = new byte[BUFFER];
  private int end;
  private long written;

  /**
   * @param inMillis whether timestamps are in milliseconds, in formats with a choice; otherwise in
   *     seconds
   * @param heads bytes before the timestamp and value of a line, by series
   * @param tails bytes after them, by series
   */
  LineWriter(
      LineFormat format, boolean inMillis, byte[][] heads, byte[][] tails, OutputStream out) {
    this.format = format;
    this.inMillis = inMillis;
    this.heads = heads;
    this.tails = tails;
    this.out = out;
  }

  /**
   * Writes one point.
   *
   * @param series index in {@code heads} and {@code tails}
   * @param millis time, milliseconds since the epoch, UTC
   * @param number value, counted in {@code kind}
   * @param kind unit of the value; see {@link ValueGenerator}
   */
  void line(int series, long millis, long number, byte kind) throws IOException {
    byte[] head = heads[series];
    byte[] tail = tails[series];
    reserve(head.length + tail.length + MOST_BESIDES);
    end = put(head, end);
    if (format.valueFirst()) {
      end = value(number, kind, end);
      buffer[end++] = ' ';
      end = time(millis, end);
    } else {
      end = time(millis, end);
      if (format == LineFormat.JSON) {
        end = put(JSON_VALUE, end);
      } else {
        buffer[end++] = ' ';
      }
      end = value(number, kind, end);
    }
    end = put(tail, end);
  }

  private void reserve(int length) throws IOException {
    if (end + length > buffer.length) {
      flush();
      if (length > buffer.length) {
        buffer = new byte[length];
      }
    }
  }

  /** Writes the buffer to the stream, and does not flush the stream. */
  void flush() throws IOException {
    out.write(buffer, 0, end);
    written += end;
    end = 0;
  }

  /** Number of bytes written to the stream. */
  long written() {
    return written;
  }

  private int put(byte[] bytes, int at) {
    System.arraycopy(bytes, 0, buffer, at, bytes.length);
    return at + bytes.length;
  }

  private int time(long millis, int at) {
    return switch (format) {
      case INFLUX -> DecimalWriter.integer(millis * 1_000_000, buffer, at);
      case PROMETHEUS -> DecimalWriter.integer(millis, buffer, at);
      default -> DecimalWriter.integer(inMillis ? millis : millis / 1000, buffer, at);
    };
  }

  private int value(long number, byte kind, int at) {
    return switch (kind) {
      case ValueGenerator.HUNDREDTHS -> DecimalWriter.hundredths(number, buffer, at);
      case ValueGenerator.BINARY -> DecimalWriter.binary(number, buffer, at);
      default -> integer(number, at);
    };
  }

  private int integer(long number, int at) {
    int after = DecimalWriter.integer(number, buffer, at);
    if (format == LineFormat.INFLUX) {
      buffer[after++] = 'i';
    }
    return after;
  }
}
