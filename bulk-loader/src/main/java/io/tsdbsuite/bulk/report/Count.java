package io.tsdbsuite.bulk.report;

import java.util.List;

/**
 * Counters of a load besides rejects and skipped values. Its books: {@code POINTS_READ =
 * POINTS_WRITTEN + DUPLICATES_IDENTICAL + DUPLICATES_CONFLICTING + ALREADY_STORED +
 * SUPERSEDED_BY_STORED + skipped + rejected}.
 */
public enum Count implements Keyed {
  /** Bytes of input after decompression. */
  BYTES_READ("bytesRead"),
  /** Lines, or objects of JSON that is not in lines, blank lines and comments included. */
  LINES_READ("linesRead"),
  /** Blank lines, comments, and statements of InfluxDB exports. */
  LINES_WITHOUT_POINT("linesWithoutPoint"),
  /** Lines of InfluxDB exports that {@code --influx-database} has left out. */
  LINES_OF_OTHER_DATABASE("linesOfOtherDatabase"),
  /** The same by {@code --influx-retention-policy}. */
  LINES_OF_OTHER_RETENTION_POLICY("linesOfOtherRetentionPolicy"),
  /** Points in the input, skipped ones included; a rejected line is one point. */
  POINTS_READ("pointsRead"),
  /** Points whose instant came with the same value before; one of them is loaded. */
  DUPLICATES_IDENTICAL("duplicatesIdentical"),
  /** Points that lost to another value of their instant by {@code --on-conflict}. */
  DUPLICATES_CONFLICTING("duplicatesConflicting"),
  /** Points that the table had already, with the same value. */
  ALREADY_STORED("alreadyStored"),
  /** Points that lost to another value of their instant in the table by {@code --on-conflict}. */
  SUPERSEDED_BY_STORED("supersededByStored"),
  /** Points written and acknowledged. */
  POINTS_WRITTEN("pointsWritten"),
  /** Rows (a series in an hour) written and acknowledged. */
  ROWS_WRITTEN("rowsWritten"),
  /** Rows of which nothing was left to write. */
  ROWS_UNCHANGED("rowsUnchanged"),
  /** Rows that had points already and got more. */
  ROWS_MERGED("rowsMerged"),
  /** Stored points that another value of their instant has replaced by {@code --on-conflict}. */
  STORED_REPLACED("storedReplaced"),
  /** Bytes of keys, qualifiers and values written. */
  BYTES_WRITTEN("bytesWritten");

  /** The counts that points read end in, besides skipped and rejected ones. */
  public static final List<Count> BOOKS =
      List.of(
          POINTS_WRITTEN,
          DUPLICATES_IDENTICAL,
          DUPLICATES_CONFLICTING,
          ALREADY_STORED,
          SUPERSEDED_BY_STORED);

  /** Counts of the input besides its points. */
  public static final List<Count> INPUT =
      List.of(
          BYTES_READ,
          LINES_READ,
          LINES_WITHOUT_POINT,
          LINES_OF_OTHER_DATABASE,
          LINES_OF_OTHER_RETENTION_POLICY);

  /** Counts of the table besides its points. */
  public static final List<Count> OUTPUT =
      List.of(ROWS_WRITTEN, ROWS_UNCHANGED, ROWS_MERGED, STORED_REPLACED, BYTES_WRITTEN);

  private final String key;

  Count(String key) {
    this.key = key;
  }

  @Override
  public String key() {
    return key;
  }
}
