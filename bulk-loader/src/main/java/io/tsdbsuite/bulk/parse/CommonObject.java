package io.tsdbsuite.bulk.parse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the common form of an object of /api/put by one pass over its bytes: the four members, each
 * once and in any order, in one line; strings without escapes, of ASCII characters but blanks and
 * {@code =}; time and value may be strings. Anything else, and each text that is rejected, is left
 * to Jackson. For what it reads the result is the one of Jackson.
 */
final class CommonObject {
  private static final byte[] METRIC = ascii("metric\"");
  private static final byte[] TIMESTAMP = ascii("timestamp\"");
  private static final byte[] VALUE = ascii("value\"");
  private static final byte[] TAGS = ascii("tags\"");
  private static final int NONE = -1;

  private final SeriesBuilder series;
  private final NumberText number;

  /** The time of the last object, seconds or milliseconds. */
  long timestamp;

  /** The kind of the number that is the value of the last object. */
  NumberText.Kind kind = NumberText.Kind.NOT_A_NUMBER;

  private byte[] b = new byte[0];
  private int end;

  /** Receives series and values in these two. */
  CommonObject(SeriesBuilder series, NumberText number) {
    this.series = series;
    this.number = number;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Reads an object.
   *
   * @param bytes go on for {@link Words#SLACK} bytes behind the end
   * @param to where the text ends, at or behind the end of the object
   * @return the index behind the object, -1 if it is none of the common form
   */
  int read(byte[] bytes, int off, int to, long line) {
    b = bytes;
    end = to;
    series.start(to - off, line);
    timestamp = 0;
    kind = NumberText.Kind.NOT_A_NUMBER;
    boolean tags = false;
    int p = off;
    do {
      p = skipWhite(p + 1);
      if (b[p] != '"') {
        return NONE;
      }
      p++;
      if (is(METRIC, p) && series.metricLength() == 0) {
        p = metric(member(p + METRIC.length));
      } else if (is(TIMESTAMP, p) && timestamp == 0) {
        p = timestamp(member(p + TIMESTAMP.length));
      } else if (is(VALUE, p) && kind == NumberText.Kind.NOT_A_NUMBER) {
        p = value(member(p + VALUE.length));
      } else if (is(TAGS, p) && !tags) {
        tags = true;
        p = tags(member(p + TAGS.length));
      } else {
        return NONE;
      }
      p = p < 0 ? end : skipWhite(p);
    } while (p < end && b[p] == ',');
    boolean whole =
        p < end
            && b[p] == '}'
            && series.metricLength() > 0
            && timestamp > 0
            && kind != NumberText.Kind.NOT_A_NUMBER;
    return whole ? p + 1 : NONE;
  }

  private boolean is(byte[] name, int p) {
    int to = p + name.length;
    return to < end && Arrays.equals(b, p, to, name, 0, name.length);
  }

  /** The first byte that is no white space of a line. */
  private int skipWhite(int from) {
    int p = from;
    while (p < end && (b[p] == ' ' || b[p] == '\t' || b[p] == '\r')) {
      p++;
    }
    return p;
  }

  /** The value behind the name of a member and its colon. */
  private int member(int nameEnd) {
    int p = skipWhite(nameEnd);
    return p < end && b[p] == ':' ? skipWhite(p + 1) : end;
  }

  private int metric(int p) {
    return b[p] == '"' ? behindQuote(series.quotedMetric(b, p + 1, end)) : NONE;
  }

  private static int behindQuote(int quote) {
    return quote < 0 ? NONE : quote + 1;
  }

  private int timestamp(int p) {
    boolean quoted = b[p] == '"';
    int from = quoted ? p + 1 : p;
    int to = digits(from);
    if (quoted ? b[to] != '"' : b[from] == '0' || !isDelimiter(b[to])) {
      return NONE;
    }
    timestamp = Timestamps.read(b, from, to);
    return timestamp == Timestamps.BAD ? NONE : quoted ? to + 1 : to;
  }

  private int value(int p) {
    boolean quoted = b[p] == '"';
    int from = quoted ? p + 1 : p;
    int to = number(from);
    if (to < 0 || !(quoted ? b[to] == '"' : isDelimiter(b[to]))) {
      return NONE;
    }
    kind = number.read(b, from, to);
    boolean good = kind == NumberText.Kind.INTEGER || kind == NumberText.Kind.FLOATING;
    return good ? (quoted ? to + 1 : to) : NONE;
  }

  private static boolean isDelimiter(byte c) {
    return c == ',' || c == '}' || c == ' ';
  }

  /** The end of a number as JSON has it. */
  private int number(int from) {
    int first = b[from] == '-' ? from + 1 : from;
    int p = digits(first);
    if (p == first || (b[first] == '0' && p > first + 1)) {
      return NONE;
    }
    if (b[p] == '.') {
      int dot = p;
      p = digits(p + 1);
      if (p == dot + 1) {
        return NONE;
      }
    }
    if (b[p] == 'e' || b[p] == 'E') {
      int exponent = b[p + 1] == '-' || b[p + 1] == '+' ? p + 2 : p + 1;
      p = digits(exponent);
      if (p == exponent) {
        return NONE;
      }
    }
    return p;
  }

  private int digits(int from) {
    int p = from;
    while (p < end && SwarDigits.isDigit(b[p])) {
      p++;
    }
    return p;
  }

  private int tags(int from) {
    if (b[from] != '{') {
      return NONE;
    }
    int p = skipWhite(from + 1);
    if (b[p] == '}') {
      return p + 1;
    }
    while (b[p] == '"') {
      series.key();
      int quote = series.quotedTag(b, p + 1, end);
      if (quote < 0) {
        return NONE;
      }
      series.value();
      p = member(quote + 1);
      quote = b[p] == '"' ? series.quotedTag(b, p + 1, end) : NONE;
      if (quote < 0) {
        return NONE;
      }
      p = skipWhite(quote + 1);
      if (b[p] != ',') {
        return b[p] == '}' ? p + 1 : NONE;
      }
      p = skipWhite(p + 1);
    }
    return NONE;
  }
}
