package io.tsdbsuite.format.row;

/**
 * A row or one of its cells cannot be read. The error concerns this row alone: the caller counts it
 * and continues with the next row. It has no stack trace, so a table with many bad rows costs
 * little more than a good one.
 */
public abstract class RowException extends Exception {
  private static final long serialVersionUID = 1L;

  RowException(String message) {
    super(message, null, false, false);
  }
}
