package io.tsdbsuite.bulk.report;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of values that OpenTSDB cannot store and that a load may leave out: {@code --skip}. Points
 * with such a value are rejected unless their kind is skipped.
 */
public enum SkipKind {
  /** Strings of InfluxDB line protocol. */
  STRINGS("strings"),
  /** Booleans of InfluxDB line protocol. */
  BOOLEANS("booleans"),
  /** NaN. Prometheus' text has stale markers as NaN, too. */
  NAN("nan"),
  /** Infinities. */
  INFINITIES("infinities"),
  /** Stale markers: {@code null} in VictoriaMetrics' JSON lines. */
  STALE("stale");

  private final String key;

  SkipKind(String key) {
    this.key = key;
  }

  /** Its name in options and reports. */
  public String key() {
    return key;
  }

  /** The names, for messages. */
  public static String keys() {
    return Arrays.stream(values()).map(SkipKind::key).collect(Collectors.joining(", "));
  }

  /** The kind of this name, null if there is none. */
  public static @Nullable SkipKind ofKey(String key) {
    for (SkipKind kind : values()) {
      if (kind.key.equals(key.toLowerCase(Locale.ROOT))) {
        return kind;
      }
    }
    return null;
  }
}
