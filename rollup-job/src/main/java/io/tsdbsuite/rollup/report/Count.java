package io.tsdbsuite.rollup.report;

/** The counts of {@link Books}, except rows by reason. The names are the JSON names. */
public enum Count implements Tally.Reason {
  /** Rows that HBase delivered. */
  ROWS_READ("rowsRead"),
  /** Rows that produced rollups. */
  ROWS_EMITTED("rowsEmitted"),
  /** Points in the rows, before duplicates are dropped. */
  POINTS_READ("pointsRead"),
  /** Points summed up in rollups. */
  POINTS_AGGREGATED("pointsAggregated"),
  /** Points dropped because of a newer or equal one of the same instant. */
  POINTS_DUPLICATE("pointsDuplicate"),
  /** NaN points, which OpenTSDB ignores too. */
  POINTS_NOT_A_NUMBER("pointsNotANumber"),
  /** Points of rows that failed. */
  POINTS_IN_FAILED_ROWS("pointsInFailedRows"),
  /**
   * Duplicates whose order HBase's timestamps did not decide; the first in column order was kept.
   */
  AMBIGUOUS_DUPLICATES("ambiguousDuplicates"),
  /** Cells with a value of 0 bytes, dropped. */
  EMPTY_VALUES("emptyValues"),
  /** Annotation columns, set aside. */
  ANNOTATIONS("annotations"),
  /** Histogram columns, of metrics with and without histograms in their rollups. */
  HISTOGRAMS("histograms"),
  /** Buckets with points or histogram cells whose histogram no cell or message can hold. */
  HISTOGRAMS_TOO_WIDE("histogramsTooWide"),
  /** Buckets with points and histogram cells, whose histogram has the cells alone. */
  HISTOGRAMS_MIXED("histogramsMixed"),
  /** Columns that OpenTSDB ignores, set aside. */
  UNKNOWN_COLUMNS("unknownColumns"),
  /** Rows outside the window that produce no rollup any more and whose rollups stay. */
  ROWS_VANISHED("rowsVanished"),
  /** Rows outside the window that produce no rollup any more and whose rollups were taken back. */
  ROWS_TAKEN_BACK("rowsTakenBack"),
  /** Rollups taken back: one for each series and interval. */
  ROLLUPS_TAKEN_BACK("rollupsTakenBack"),
  /** Days of series with at least one row. */
  DAYS_READ("daysRead"),
  /** Days of series that produced a rollup. */
  DAYS_EMITTED("daysEmitted"),
  /** Messages or lines handed to the sink. */
  MESSAGES_SENT("messagesSent"),
  /** Messages or lines acknowledged by the sink. */
  MESSAGES_ACKNOWLEDGED("messagesAcknowledged"),
  /** New HFiles with puts that are older than the time from which changed rows are sought. */
  OLD_TIMESTAMPS("oldTimestamps"),
  /** Bytes of HFiles that storage delivered. */
  BYTES_READ("bytesRead"),
  /** Read calls to storage. */
  READ_CALLS("readCalls");

  private final String key;

  Count(String key) {
    this.key = key;
  }

  /** The name in the JSON of a finished partition. */
  @Override
  public String key() {
    return key;
  }
}
