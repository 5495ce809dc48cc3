package io.tsdbsuite.bulk.report;

/**
 * Kinds of values that OpenTSDB cannot store and that a load may leave out: {@code --skip}. Points
 * with such a value are rejected unless their kind is skipped.
 */
public enum SkipKind implements Keyed {
  /** Strings of InfluxDB line protocol. */
  STRINGS,
  /** Booleans of InfluxDB line protocol. */
  BOOLEANS,
  /** NaN. Prometheus' text has stale markers as NaN, too. */
  NAN,
  /** Infinities. */
  INFINITIES,
  /** Stale markers: {@code null} in VictoriaMetrics' JSON lines. */
  STALE
}
