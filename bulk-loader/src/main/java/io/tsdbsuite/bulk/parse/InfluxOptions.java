package io.tsdbsuite.bulk.parse;

/**
 * Options for points from InfluxDB line protocol.
 *
 * <p>A field becomes a metric of the name {@code measurement + separator + field}. A field named
 * {@code value} gives the measurement alone, in every line: InfluxDB's own OpenTSDB listener and
 * most single-value inputs write such fields, so exported points get their old name. With {@code
 * keepValue} it is named like the others.
 *
 * @param precision unit of the times
 * @param truncate whether times finer than a millisecond are truncated; otherwise such points are
 *     rejected
 * @param separator between measurement and field, may be empty
 * @param keepValue whether {@code value} is part of the metric's name
 */
public record InfluxOptions(
    TimePrecision precision, boolean truncate, String separator, boolean keepValue) {
  /** Nanoseconds, nothing cut off, a dot, {@code value} left out. */
  public static final InfluxOptions DEFAULT =
      new InfluxOptions(TimePrecision.NS, false, ".", false);

  /** The same with another unit of times. */
  public InfluxOptions withPrecision(TimePrecision unit) {
    return new InfluxOptions(unit, truncate, separator, keepValue);
  }
}
