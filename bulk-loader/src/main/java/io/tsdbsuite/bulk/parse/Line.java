package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;

/** The current line, kept for its rejection. */
final class Line {
  /** Receives the points and rejects of the line. */
  PointHandler handler = IgnoringHandler.INSTANCE;

  private byte[] bytes = new byte[0];
  private int off;
  private int end;
  private long number;

  void set(byte[] b, int from, int to, long line, PointHandler receiver) {
    bytes = b;
    off = from;
    end = to;
    number = line;
    handler = receiver;
  }

  /** Rejects one point of the line, or all of it as one. */
  int reject(RejectReason reason, String detail) throws IOException {
    handler.rejected(reason, number, detail, bytes, off, end - off);
    return 1;
  }

  /** Rejects the line, or the rest of it, for its shape. */
  int malformed(String rule) throws IOException {
    return reject(RejectReason.MALFORMED_LINE, ErrorText.text(rule, bytes, off, end));
  }
}
