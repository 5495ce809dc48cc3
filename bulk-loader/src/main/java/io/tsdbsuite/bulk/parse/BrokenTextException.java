package io.tsdbsuite.bulk.parse;

import java.io.IOException;

/** A document is broken and parsing cannot continue behind this place. */
public final class BrokenTextException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long line;
  private final long column;

  /**
   * Thrown when a document is malformed and parsing cannot resume.
   *
   * @param line number of the malformed line, from 1
   * @param column byte offset in the line, from 1
   */
  BrokenTextException(long line, long column, String problem) {
    super("line " + line + ", column " + column + ": " + problem);
    this.line = line;
    this.column = column;
  }

  /** Line of the document, from 1. */
  public long line() {
    return line;
  }

  /** Byte of the line, from 1. */
  public long column() {
    return column;
  }
}
