package io.tsdbsuite.rollup.report;

/** The counts of {@link Books}, except rows by reason. The names are the JSON names. */
enum Count {
  ROWS_READ("rowsRead"),
  ROWS_EMITTED("rowsEmitted"),
  POINTS_READ("pointsRead"),
  POINTS_AGGREGATED("pointsAggregated"),
  POINTS_DUPLICATE("pointsDuplicate"),
  POINTS_NOT_A_NUMBER("pointsNotANumber"),
  POINTS_IN_FAILED_ROWS("pointsInFailedRows"),
  AMBIGUOUS_DUPLICATES("ambiguousDuplicates"),
  EMPTY_VALUES("emptyValues"),
  ANNOTATIONS("annotations"),
  HISTOGRAMS("histograms"),
  UNKNOWN_COLUMNS("unknownColumns"),
  ROWS_VANISHED("rowsVanished"),
  ROWS_TAKEN_BACK("rowsTakenBack"),
  ROLLUPS_TAKEN_BACK("rollupsTakenBack"),
  DAYS_READ("daysRead"),
  DAYS_EMITTED("daysEmitted"),
  DAYS_MISPLACED("daysMisplaced"),
  MESSAGES_SENT("messagesSent"),
  MESSAGES_ACKNOWLEDGED("messagesAcknowledged"),
  BYTES_READ("bytesRead"),
  READ_CALLS("readCalls");

  private final String key;

  Count(String key) {
    this.key = key;
  }

  /** The name in the JSON of a finished partition. */
  String key() {
    return key;
  }
}
