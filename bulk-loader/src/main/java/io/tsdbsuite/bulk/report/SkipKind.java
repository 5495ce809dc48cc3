package io.tsdbsuite.bulk.report;

/**
 * Kinds of values that OpenTSDB cannot store and that a load may leave out: {@code --skip}. Points
 * with such a value are rejected unless their kind is skipped.
 */
public enum SkipKind implements Keyed {
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

  @Override
  public String key() {
    return key;
  }
}
