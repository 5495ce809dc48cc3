package io.tsdbsuite.bulk.parse;

/** Where the parts of a line of InfluxDB line protocol end. */
final class InfluxText {
  private InfluxText() {}

  /** The first unescaped blank, comma or other character, {@code end} if there is none. */
  static int end(byte[] b, int off, int end, char other) {
    for (int p = off; p < end; p++) {
      byte c = b[p];
      if ((c == ' ' || c == ',' || c == other) && (p == off || b[p - 1] != '\\')) {
        return p;
      }
    }
    return end;
  }

  /** The blank behind the fields. */
  static int fieldsEnd(byte[] b, int off, int end) {
    return valueEnd(b, off, end, ' ');
  }

  /** The comma behind a field's value. */
  static int valueEnd(byte[] b, int off, int end) {
    return valueEnd(b, off, end, ',');
  }

  private static int valueEnd(byte[] b, int off, int end, char stop) {
    boolean quoted = false;
    for (int p = off; p < end; p++) {
      if (b[p] == '\\') {
        p++;
      } else if (b[p] == '"') {
        quoted = !quoted;
      } else if (b[p] == stop && !quoted) {
        return p;
      }
    }
    return end;
  }

  /** Whether this is a backslash that escapes the next character. */
  static boolean escapes(byte[] b, int p, int end, boolean equalsToo) {
    if (b[p] != '\\' || p + 1 == end) {
      return false;
    }
    byte c = b[p + 1];
    return c == ' ' || c == ',' || (equalsToo && c == '=');
  }

  /** Whether the name is {@code value}. */
  static boolean isValue(byte[] b, int off, int end) {
    return end - off == 5
        && b[off] == 'v'
        && b[off + 1] == 'a'
        && b[off + 2] == 'l'
        && b[off + 3] == 'u'
        && b[off + 4] == 'e';
  }
}
