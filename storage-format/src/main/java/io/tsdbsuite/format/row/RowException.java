package io.tsdbsuite.format.row;

/**
 * A row, or a cell of it, that cannot be read. It concerns this row alone: count it, go on with the
 * next. Carries no stack trace, so that a table full of bad rows costs little more than a good one.
 */
public abstract class RowException extends Exception {
  private static final long serialVersionUID = 1L;

  RowException(String message) {
    super(message, null, false, false);
  }
}
