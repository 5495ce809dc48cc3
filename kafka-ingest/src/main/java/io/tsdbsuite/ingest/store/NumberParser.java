package io.tsdbsuite.ingest.store;

import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.math.BigDecimal;

/** Parses numbers of messages. */
final class NumberParser {
  private NumberParser() {}

  /** Parses a double that is neither NaN nor infinite. */
  static double finite(String name, String text) throws BadMessageException {
    try {
      double number = Double.parseDouble(text);
      if (!Double.isNaN(number) && !Double.isInfinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like NaN.
    }
    throw new BadMessageException(
        Reason.BAD_VALUE, name + " must be a finite number, found " + text);
  }

  /** Parses a whole number of 64 bits, also one written as {@code 60.0}. */
  static long whole(String name, String text) throws BadMessageException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      // Slow path, for rare spellings.
    }
    try {
      return new BigDecimal(text).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw new BadMessageException(
          Reason.BAD_VALUE, name + " must be a whole number on 64 bits, found " + text);
    }
  }

  /** Parses a count, at least 1: an interval without points has no rollup. */
  static long count(String name, String text) throws BadMessageException {
    long count = whole(name, text);
    if (count < 1) {
      throw new BadMessageException(Reason.BAD_VALUE, name + " must be at least 1, found " + text);
    }
    return count;
  }
}
