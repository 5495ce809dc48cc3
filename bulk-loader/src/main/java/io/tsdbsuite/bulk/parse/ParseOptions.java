package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.SkipKind;
import java.io.Serializable;
import java.util.Set;

/**
 * Options of the readers.
 *
 * @param influxPrecision unit of the times in line protocol
 * @param rounding what becomes of times that OpenTSDB cannot store
 * @param skip kinds of values that are left out; others are rejected
 * @param anyName whether names may have blanks, tabs and {@code =}, which {@link NamesParser} must
 *     then replace; points with such names are rejected otherwise
 */
public record ParseOptions(
    TimePrecision influxPrecision, TimeRounding rounding, Set<SkipKind> skip, boolean anyName)
    implements Serializable {
  /** Nanoseconds, no rounding, nothing skipped. */
  public static final ParseOptions DEFAULT =
      new ParseOptions(TimePrecision.NS, TimeRounding.REFUSE, Set.of(), false);

  /** Copies the set. */
  public ParseOptions {
    skip = Set.copyOf(skip);
  }

  /** The same with another rounding of times. */
  public ParseOptions with(TimeRounding how) {
    return new ParseOptions(influxPrecision, how, skip, anyName);
  }

  /** The same with other kinds of values left out. */
  public ParseOptions withSkip(Set<SkipKind> kinds) {
    return new ParseOptions(influxPrecision, rounding, kinds, anyName);
  }

  /** The same with any names, or not. */
  public ParseOptions withAnyName(boolean any) {
    return new ParseOptions(influxPrecision, rounding, skip, any);
  }
}
