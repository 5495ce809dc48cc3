package io.tsdbsuite.format.row;

/**
 * A row has two different values of one instant while {@code tsd.storage.fix_duplicates} is off.
 * The TSD fails every query that reads this row (docs/storage.md 2.6).
 */
public final class DuplicateConflictException extends RowException {
  private static final long serialVersionUID = 1L;

  private final int offsetMillis;

  DuplicateConflictException(int offsetMillis, String newer, String older) {
    super(
        String.format(
            "offset %s ms: one instant must have one value while tsd.storage.fix_duplicates"
                + " is off, found %s and %s",
            offsetMillis, newer, older));
    this.offsetMillis = offsetMillis;
  }

  /** The instant, milliseconds from the base time of the row. */
  public int offsetMillis() {
    return offsetMillis;
  }
}
