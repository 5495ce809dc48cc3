package io.tsdbsuite.stream.series;

/** The reasons for which a bucket is repaired from the raw data instead of emitted. */
public enum RequestReason {
  /** A point older than the slack, of a bucket that was closed, or out of order among very many. */
  LATE(1, "late"),
  /** The job started inside the bucket, or messages of its time are missing. */
  STARTED(2, "started"),
  /** An instant was written with two types, widths or resolutions: two columns in HBase. */
  DUPLICATE(3, "duplicate"),
  /** A point was further ahead of its message than the slack. */
  AHEAD(4, "ahead"),
  /** The sum is beyond the range of a double. */
  NOT_FINITE(5, "notFinite");

  private static final RequestReason[] BY_CODE = new RequestReason[6];

  static {
    for (RequestReason reason : values()) {
      BY_CODE[reason.code] = reason;
    }
  }

  private final byte code;
  private final String text;

  RequestReason(int code, String text) {
    this.code = (byte) code;
    this.text = text;
  }

  /** The number in the state, part of its format: 1 to 127. */
  byte code() {
    return code;
  }

  /** The text in messages and metrics. */
  public String text() {
    return text;
  }

  static RequestReason of(byte code) {
    return BY_CODE[code];
  }
}
