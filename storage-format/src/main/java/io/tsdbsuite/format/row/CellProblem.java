package io.tsdbsuite.format.row;

/**
 * Rules that a cell can break. The TSD rejects some of these cells and reads others wrongly; this
 * module rejects all of them (docs/storage.md, "Where we differ").
 */
public enum CellProblem {
  /** A column without a qualifier. */
  EMPTY_QUALIFIER("qualifier must not be empty"),
  /** A millisecond mark without room for 4 bytes; the TSD reads past the end. */
  CUT_MILLIS_QUALIFIER("a qualifier that begins with f must have 4 bytes"),
  /** A qualifier of odd length that begins with 05 but does not have 3 bytes. */
  ODD_APPEND_QUALIFIER("an append column's qualifier must have 3 bytes"),
  /** Second offsets 3600..3839: the TSD shows the point in the next hour. */
  SECONDS_OUT_OF_ROW("second offset must be 0 to 3599"),
  /** Millisecond offsets above 3599999. */
  MILLIS_OUT_OF_ROW("millisecond offset must be 0 to 3599999"),
  /** An integer of 3, 5, 6, 7 or more than 8 bytes. */
  INTEGER_WIDTH("an integer must have 1, 2, 4 or 8 bytes"),
  /** A floating point number that has neither 4 nor 8 bytes. */
  FLOAT_WIDTH("a floating point number must have 4 or 8 bytes"),
  /** A float on 8 bytes, flagged as 4, that does not begin with zeros (docs/storage.md 2.4). */
  HISTORIC_FLOAT("a 4-byte float stored on 8 bytes must begin with 4 zero bytes"),
  /** The value is shorter or longer than the qualifier states; the TSD drops points silently. */
  VALUE_LENGTH("value must have the length that the qualifier states"),
  /** The points of one compacted cell do not ascend; the TSD does not sort them. */
  UNSORTED_POINTS("points of a compacted cell must ascend"),
  /** One instant twice in one compacted cell; the TSD counts it twice. */
  DUPLICATE_POINTS("an instant must appear once in a compacted cell"),
  /** An append cell that ends inside a point. */
  TRUNCATED_APPEND("an append cell must end after a whole point"),
  /** The TSD shows the histogram in a later hour. */
  HISTOGRAM_OUT_OF_ROW("the offset of a histogram must be below 3600000 milliseconds"),
  /** A TSD drops the histogram. */
  NO_CODEC_ID("a histogram must begin with the id of its codec"),
  /** The TSD counts both. */
  SAME_INSTANT_HISTOGRAMS("an instant must have one histogram");

  private final String rule;

  CellProblem(String rule) {
    this.rule = rule;
  }

  /** The rule that the cell breaks, for messages. */
  public String rule() {
    return rule;
  }
}
