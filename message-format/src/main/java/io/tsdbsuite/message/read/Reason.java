package io.tsdbsuite.message.read;

/** The reasons for which a message or an element can never be stored. Every dead letter has one. */
public enum Reason {
  /** No value, or an array without elements. */
  EMPTY("empty"),
  /** Not JSON in UTF-8, or not an object or an array; of an element: not an object. */
  MALFORMED("malformed"),
  /** More bytes or elements than {@link MessageReader} takes, or more points than a repair. */
  TOO_LARGE("tooLarge"),
  /** The type is missing or unknown. */
  UNKNOWN_TYPE("unknownType"),
  /** A Rollup message of another version. */
  UNSUPPORTED_VERSION("unsupportedVersion"),
  /** A field is missing or has the wrong JSON type. */
  BAD_FIELD("badField"),
  /** A timestamp that OpenTSDB cannot store, or that is not the start of its interval. */
  BAD_TIMESTAMP("badTimestamp"),
  /** A value that is not a finite number, or is invalid for its aggregator. */
  BAD_VALUE("badValue"),
  /**
   * The interval is not in the TSD's rollup configuration, or is its default interval, or has no
   * table of histograms.
   */
  UNKNOWN_INTERVAL("unknownInterval"),
  /** The aggregator has no id in the TSD's rollup configuration, or is blocked. */
  UNKNOWN_AGGREGATOR("unknownAggregator"),
  /** The codec of a rollup's histogram, or of one that a request needs, is not one of the TSD. */
  UNKNOWN_CODEC("unknownCodec"),
  /** Rollups or histograms are disabled in the TSD. */
  SWITCHED_OFF("switchedOff"),
  /** A metric, tag key or tag value has no UID, and the TSD may not create one. */
  UNKNOWN_NAME("unknownName"),
  /** Rejected by the TSD's rules: an illegal character, too many tags, a UID filter. */
  REFUSED("refused"),
  /** HBase rejected every attempt to write it, and accepted other writes. */
  STORAGE("storage"),
  /** A requested rollup needs a row of raw points that the table's TTL may have begun to remove. */
  EXPIRED("expired"),
  /**
   * A rollup, or the raw points of a request, that begin before the raw floor of their metric: raw
   * points may be gone there, and the stored rollups are proven.
   */
  BELOW_FLOOR("belowFloor"),
  /** A requested rollup needs a row with a cell that breaks a rule of the format. */
  CORRUPT_CELL("corruptCell"),
  /** A requested rollup needs a row with two values of one instant, which fails every query. */
  CONFLICTING_DUPLICATES("conflictingDuplicates"),
  /** A value of a requested rollup is not finite. */
  NOT_FINITE("notFinite");

  private final String code;

  Reason(String code) {
    this.code = code;
  }

  /** The name in headers, statistics and documents; part of the format. */
  public String code() {
    return code;
  }
}
