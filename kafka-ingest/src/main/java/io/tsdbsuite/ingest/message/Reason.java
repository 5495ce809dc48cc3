package io.tsdbsuite.ingest.message;

/** Why a message, or one element of it, is of no use however often it is tried. */
public enum Reason {
  /** No value, or an array without elements. */
  EMPTY("empty"),
  /** Not JSON in UTF-8, or not an object or an array; of an element: not an object. */
  MALFORMED("malformed"),
  /** The type is missing or none of ours. */
  UNKNOWN_TYPE("unknownType"),
  /** A rollup message of a version that is not known here. */
  UNSUPPORTED_VERSION("unsupportedVersion"),
  /** A field is missing or has the wrong JSON type. */
  BAD_FIELD("badField"),
  /** A timestamp that OpenTSDB cannot store, or that is not the start of its interval. */
  BAD_TIMESTAMP("badTimestamp"),
  /** A value that is no number, is not finite, or does not suit its aggregator. */
  BAD_VALUE("badValue"),
  /** The interval is not in the TSD's rollup configuration, or is its default interval. */
  UNKNOWN_INTERVAL("unknownInterval"),
  /** The aggregator has no number in the TSD's rollup configuration, or is blocked. */
  UNKNOWN_AGGREGATOR("unknownAggregator"),
  /** The TSD runs without rollups, or without histograms. */
  SWITCHED_OFF("switchedOff"),
  /** A metric, tag key or tag value has no UID and the TSD may not create it. */
  UNKNOWN_NAME("unknownName"),
  /** Refused as the TSD would or should: an illegal character, too many tags, a UID filter. */
  REFUSED("refused"),
  /** HBase refused it, again and again, while it took others. */
  STORAGE("storage");

  private final String code;

  Reason(String code) {
    this.code = code;
  }

  /** The name in headers, statistics and documents; it does not change. */
  public String code() {
    return code;
  }
}
