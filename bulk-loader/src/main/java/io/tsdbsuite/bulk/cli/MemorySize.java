package io.tsdbsuite.bulk.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Bytes as the JVM writes them: {@code 4g}, {@code 512m}, {@code 1048576}. */
final class MemorySize implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,15})([kmgt]?)b?");
  private static final String UNITS = "kmgt";

  @Override
  public Long convert(String text) {
    Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException("must be bytes, such as 4g, 512m or 1048576");
    }
    int shift = matcher.group(2).isEmpty() ? 0 : 10 * (UNITS.indexOf(matcher.group(2)) + 1);
    long number = Long.parseLong(matcher.group(1));
    long bytes = number << shift;
    if (bytes >> shift != number) {
      throw new TypeConversionException("must fit in 64 bits");
    }
    return bytes;
  }
}
