package io.tsdbsuite.bulk.input;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that can be brought to the beginning of a line. */
final class LineStart extends BufferedInputStream {
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
