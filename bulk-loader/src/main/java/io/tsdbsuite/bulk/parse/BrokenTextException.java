package io.tsdbsuite.bulk.parse;

import java.io.IOException;

/** A document is broken and parsing cannot continue behind this place. */
public final class BrokenTextException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Thrown when a document is malformed and parsing cannot resume.
   *
   * @param line number of the malformed line, from 1
   * @param column byte offset in the line, from 1
   */
  BrokenTextException(long line, long column, String problem) {
    super("line " + line + ", column " + column + ": " + problem);
  }
}
