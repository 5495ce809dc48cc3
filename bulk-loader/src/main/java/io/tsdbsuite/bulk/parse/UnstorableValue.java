package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.SkipKind;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kinds of values that other databases have and OpenTSDB cannot store. */
final class UnstorableValue {
  private static final int LONGEST = 9;

  private UnstorableValue() {}

  /** NaN or an infinity in text, in upper or lower case; null for anything else. */
  static @Nullable SkipKind ofNumber(byte[] b, int off, int end) {
    int start = off < end && (b[off] == '+' || b[off] == '-') ? off + 1 : off;
    return switch (word(b, start, end)) {
      case "nan" -> SkipKind.NAN;
      case "inf", "infinity" -> SkipKind.INFINITIES;
      default -> null;
    };
  }

  /** A string or a boolean of InfluxDB line protocol; null for anything else. */
  static @Nullable SkipKind ofField(byte[] b, int off, int end) {
    if (end - off >= 2 && b[off] == '"' && b[end - 1] == '"') {
      return SkipKind.STRINGS;
    }
    return switch (new String(b, off, Math.min(LONGEST, end - off), StandardCharsets.ISO_8859_1)) {
      case "t", "T", "true", "True", "TRUE", "f", "F", "false", "False", "FALSE" ->
          SkipKind.BOOLEANS;
      default -> null;
    };
  }

  private static String word(byte[] b, int off, int end) {
    return new String(b, off, Math.min(LONGEST, end - off), StandardCharsets.ISO_8859_1)
        .toLowerCase(Locale.ROOT);
  }
}
