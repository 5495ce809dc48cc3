package io.tsdbsuite.bulk.parse;

import java.io.IOException;

/** Parses one line of a format. */
interface LineParser {
  /**
   * Passes the line's points and rejects to the handler.
   *
   * @param off first byte, neither blank nor tab nor {@code #}
   * @param end behind the last one, neither blank, tab nor {@code \r}; the array goes on for {@link
   *     Words#SLACK} bytes
   * @param line its number
   * @return points and rejects
   */
  int parse(byte[] b, int off, int end, long line, PointHandler handler) throws IOException;

  /** A line that begins with {@code #}; most formats ignore it. */
  default void comment(byte[] b, int off, int end, long line) {}

  /** How to get shorter lines, for the message when one is too long; empty if that is not known. */
  default String longLineHint() {
    return "";
  }
}
