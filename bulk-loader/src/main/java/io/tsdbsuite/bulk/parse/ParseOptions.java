package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.SkipKind;
import java.io.Serializable;
import java.util.Set;

/**
 * Options of the readers.
 *
 * <p>A field of InfluxDB becomes a metric of the name {@code measurement + separator + field}. A
 * field named {@code value} gives the measurement alone, in every line: InfluxDB's own OpenTSDB
 * listener and most single-value inputs write such fields, so exported points get their old name.
 * With {@code influxKeepValue} it is named like the others.
 *
 * @param influxPrecision unit of the times in line protocol
 * @param influxSeparator between measurement and field, may be empty
 * @param influxKeepValue whether {@code value} is part of the metric's name
 * @param rounding what becomes of times that OpenTSDB cannot store
 * @param skip kinds of values that are left out; others are rejected
 * @param anyName whether names may have blanks, tabs and {@code =}, which {@link NamesParser} must
 *     then replace; points with such names are rejected otherwise
 */
public record ParseOptions(
    TimePrecision influxPrecision,
    String influxSeparator,
    boolean influxKeepValue,
    TimeRounding rounding,
    Set<SkipKind> skip,
    boolean anyName)
    implements Serializable {
  /** Nanoseconds, a dot, {@code value} left out, no rounding, nothing skipped. */
  public static final ParseOptions DEFAULT =
      new ParseOptions(TimePrecision.NS, ".", false, TimeRounding.REFUSE, Set.of(), false);

  /** Copies the set. */
  public ParseOptions {
    skip = Set.copyOf(skip);
  }

  /** The same with another unit of times in line protocol. */
  public ParseOptions withPrecision(TimePrecision unit) {
    return new ParseOptions(unit, influxSeparator, influxKeepValue, rounding, skip, anyName);
  }

  /** The same with another rounding of times. */
  public ParseOptions with(TimeRounding how) {
    return new ParseOptions(influxPrecision, influxSeparator, influxKeepValue, how, skip, anyName);
  }

  /** The same with other kinds of values left out. */
  public ParseOptions withSkip(Set<SkipKind> kinds) {
    return new ParseOptions(
        influxPrecision, influxSeparator, influxKeepValue, rounding, kinds, anyName);
  }

  /** The same with any names, or not. */
  public ParseOptions withAnyName(boolean any) {
    return new ParseOptions(influxPrecision, influxSeparator, influxKeepValue, rounding, skip, any);
  }
}
