package io.tsdbsuite.ingest.message;

/**
 * How a TSD received a point that its storage exception handler sent to Kafka; field {@code
 * tsdOrigin} of the message.
 *
 * <p>It decides the width on which the TSD writes a value, which has to be the same when the point
 * comes back: another width is another column, with a second value of the same instant.
 */
public enum Origin {
  /** /api/put and /api/rollup: numbers that are no integers have 8 bytes. */
  HTTP("http"),
  /** The telnet commands: numbers that are no integers have 4 bytes where these hold the value. */
  TELNET("telnet");

  private final String code;

  Origin(String code) {
    this.code = code;
  }

  /** The text in messages; it does not change. */
  public String code() {
    return code;
  }

  /** The origin with this text; null for any other. */
  static Origin of(String text) {
    for (Origin origin : values()) {
      if (origin.code.equals(text)) {
        return origin;
      }
    }
    return null;
  }
}
