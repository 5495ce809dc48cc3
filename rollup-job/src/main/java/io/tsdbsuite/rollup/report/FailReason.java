package io.tsdbsuite.rollup.report;

/** Why a row, or the day of a series, could not be rolled up. */
public enum FailReason {
  /** The row key breaks a rule of docs/storage.md 1. */
  MALFORMED_KEY("malformedKey", "malformed key"),
  /** A UID of the row key has no name. */
  UNRESOLVED_UID("unresolvedUid", "unresolved UID"),
  /** A UID of the row key has a name that the UID table maps to another UID, or to none. */
  FOREIGN_NAME("foreignName", "name of another UID"),
  /** A qualifier or value breaks a rule of docs/storage.md 2 or 3. */
  CORRUPT_CELL("corruptCell", "corrupt cell"),
  /** Two values for one instant, and tsd.storage.fix_duplicates is off; a query fails as well. */
  CONFLICTING_DUPLICATES("conflictingDuplicates", "conflicting duplicates"),
  /** The points are infinite or their sum is: neither JSON nor a TSD can hold it. */
  NOT_FINITE("notFinite", "not finite"),
  /** A block of an HFile is corrupt; counts once, however many rows it hides. */
  UNREADABLE_BLOCK("unreadableBlock", "unreadable block"),
  /**
   * A row of a series' day failed, or was perhaps among those that a corrupt block hides. Counts
   * series and days, beside the rows or blocks that are its cause.
   */
  INCOMPLETE_DAY("incompleteDay", "incomplete day"),
  /** All rows of a series' day are good, and the day cannot be emitted: its sum is infinite. */
  FAILED_DAY("failedDay", "failed day");

  private final String key;
  private final String text;

  FailReason(String key, String text) {
    this.key = key;
    this.text = text;
  }

  /** The name in the JSON report. */
  public String key() {
    return key;
  }

  /** Whether it counts days of series, and not rows. */
  public boolean isOfDay() {
    return this == INCOMPLETE_DAY || this == FAILED_DAY;
  }

  /** For people. */
  public String text() {
    return text;
  }
}
