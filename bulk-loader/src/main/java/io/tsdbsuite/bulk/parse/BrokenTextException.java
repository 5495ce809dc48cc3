package io.tsdbsuite.bulk.parse;

import java.io.IOException;

/** A document is broken and parsing cannot continue behind this place. */
public final class BrokenTextException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long line;
  private final long column;

  /**
   * A broken document.
   *
   * @param line where, from 1
   * @param column byte of the line, from 1
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
