package io.tsdbsuite.bench.load;

import java.math.BigDecimal;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses {@code 500ms}, {@code 2s}, {@code 1.5s}, {@code 10m}, {@code 1h}; seconds without a unit.
 */
final class Durations implements ITypeConverter<Duration> {
  private static final int NANO_DIGITS = 9;

  @Override
  public Duration convert(String text) {
    String digits = text.replaceFirst("(ms|s|m|h)$", "");
    long nanosOfUnit =
        switch (text.substring(digits.length())) {
          case "ms" -> 1_000_000L;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          default -> 1_000_000_000L;
        };
    if (!digits.matches("\\d{1,9}(\\.\\d{1,9})?")) {
      throw new TypeConversionException(
          "must be a number with ms, s, m or h, seconds without one, found " + text);
    }
    return Duration.ofNanos(
        new BigDecimal(digits)
            .setScale(NANO_DIGITS)
            .multiply(BigDecimal.valueOf(nanosOfUnit))
            .longValue());
  }
}
