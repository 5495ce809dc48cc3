package io.tsdbsuite.rollup.report;

/** Why a row, or the day of a series, could not be rolled up. */
public enum FailReason implements Tally.Reason {
  /** The row key breaks a rule of docs/storage.md 1. */
  MALFORMED_KEY("malformedKey", "malformed key"),
  /**
   * The row is in another salt bucket than the hash of its key. Its series may have other rows of
   * the hour in the right bucket, whose rollup would look complete, so no run with such a row is
   * done.
   */
  OTHER_BUCKET("otherBucket", "row in another salt bucket"),
  /** A UID of the row key has no name. */
  UNRESOLVED_UID("unresolvedUid", "unresolved UID"),
  /** A UID of the row key has a name that the UID table maps to another UID, or to none. */
  FOREIGN_NAME("foreignName", "name of another UID"),
  /** A qualifier or value breaks a rule of docs/storage.md 2 or 3. */
  CORRUPT_CELL("corruptCell", "corrupt cell"),
  /** Two values for one instant while tsd.storage.fix_duplicates is off; a query fails too. */
  CONFLICTING_DUPLICATES("conflictingDuplicates", "conflicting duplicates"),
  /**
   * The codec of a histogram of a metric that {@code suite.histograms} selects has no id, or is one
   * whose histograms cannot be merged here.
   */
  UNKNOWN_CODEC("unknownCodec", "unknown histogram codec"),
  /** A point or the sum is infinite, which neither JSON nor a TSD can represent. */
  NOT_FINITE("notFinite", "not finite"),
  /** A block of an HFile is corrupt; counts once, independent of the number of rows in it. */
  UNREADABLE_BLOCK("unreadableBlock", "unreadable block"),
  /**
   * The row can be read, but a corrupt block of another salt bucket may have further points of its
   * hour. Counts against no limit, because the block does.
   */
  BESIDE_UNREADABLE_BLOCK("besideUnreadableBlock", "row beside an unreadable block"),
  /**
   * A row of a series' day failed or may be in a corrupt block. Counts days of series, in addition
   * to the rows or blocks that cause it.
   */
  INCOMPLETE_DAY("incompleteDay", "incomplete day"),
  /**
   * All rows of a series' day are valid, but the day cannot be emitted, for example because its sum
   * is infinite.
   */
  FAILED_DAY("failedDay", "failed day");

  private final String key;
  private final String text;

  FailReason(String key, String text) {
    this.key = key;
    this.text = text;
  }

  /** The name in the JSON report. */
  @Override
  public String key() {
    return key;
  }

  /** Whether it counts days of series instead of rows. */
  public boolean isOfDay() {
    return this == INCOMPLETE_DAY || this == FAILED_DAY;
  }

  /** The text in the table. */
  public String text() {
    return text;
  }
}
