package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The current line, kept for its rejection. */
final class Line {
  /**
   * Bytes of names that a line may have in all of its points together: each point has the names of
   * its series, so a long series with many points would take work in proportion to their product.
   */
  static final long MAX_NAMES = 64L << 20;

  /** The rule for {@link #MAX_NAMES}. */
  static final String NAMES_RULE =
      "a line must not have more than "
          + MAX_NAMES
          + " bytes of names, those of its series counted once for each point";

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

  /**
   * Rejects a point for its value, or leaves it out.
   *
   * @param kind kind of the value; null if it is of none
   * @param left kinds that are left out
   * @param rule the rule that the value breaks
   */
  int unstorable(@Nullable SkipKind kind, Set<SkipKind> left, String rule, int from, int to)
      throws IOException {
    if (kind == null) {
      return reject(RejectReason.BAD_VALUE, ErrorText.text(rule, bytes, from, to));
    }
    if (left.contains(kind)) {
      handler.skippedPoint(kind);
      return 1;
    }
    return reject(RejectReason.BAD_VALUE, ErrorText.text(rule + hint(kind), bytes, from, to));
  }

  /** How to leave out values of a kind, for messages. */
  static String hint(SkipKind kind) {
    return " (--skip " + kind.key() + " leaves such points out)";
  }

  /** Rejects one point of the line, with a text of its own. */
  int reject(RejectReason reason, String detail, byte[] text) throws IOException {
    handler.rejected(reason, number, detail, text, 0, text.length);
    return 1;
  }

  /** Rejects the line, or the rest of it, for its shape. */
  int malformed(String rule) throws IOException {
    return reject(RejectReason.MALFORMED_LINE, ErrorText.text(rule, bytes, off, end));
  }
}
