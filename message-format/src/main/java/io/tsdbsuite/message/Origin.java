package io.tsdbsuite.message;

import org.jspecify.annotations.Nullable;

/**
 * The way in which a TSD received a point that its storage exception handler or its publisher sent
 * to Kafka: the field {@link FieldNames#TSD_ORIGIN}.
 *
 * <p>The origin decides the width of the stored value. The width must be the same when the point
 * comes back from Kafka: another width is another column, with a second value for the same instant.
 */
public enum Origin {
  /** /api/put and /api/rollup: floating-point numbers are stored on 8 bytes. */
  HTTP("http"),
  /** Telnet commands: floating-point numbers are stored on 4 bytes if these hold the value. */
  TELNET("telnet");

  private final String code;

  Origin(String code) {
    this.code = code;
  }

  /** The text in messages, part of the format. */
  public String code() {
    return code;
  }

  /** The origin with this code, or null. */
  public static @Nullable Origin of(String code) {
    for (Origin origin : values()) {
      if (origin.code.equals(code)) {
        return origin;
      }
    }
    return null;
  }
}
