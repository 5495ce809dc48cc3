package io.tsdbsuite.bulk.parse;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A series as a JSON object of labels, its metric in {@code __name__}. */
final class JsonSeries {
  private static final byte[] NAME = "__name__".getBytes(StandardCharsets.US_ASCII);
  private static final int NONE = -1;
  private static final int HEX = 16;

  private final SeriesBuilder series;
  private boolean toMetric;

  JsonSeries(boolean anyName) {
    series = new SeriesBuilder(anyName);
  }

  /** Whether no name has a separator. */
  boolean isClean() {
    return series.isClean();
  }

  /** The series that was read last. */
  SeriesText text() {
    return series.series();
  }

  /**
   * Reads the object at an offset.
   *
   * @return the index behind it, -1 if it is malformed or has no metric
   */
  int read(byte[] b, int off, int end, long line) {
    if (off >= end || b[off] != '{') {
      return NONE;
    }
    series.start(end - off, line);
    int p = Words.notBlank(b, off + 1, end);
    while (p < end && b[p] == '"') {
      p = label(b, p, end);
      if (p < 0 || p >= end) {
        return NONE;
      }
      if (b[p] == '}') {
        return series.metricLength() > 0 ? p + 1 : NONE;
      }
      p = Words.notBlank(b, p + 1, end);
    }
    return NONE;
  }

  /** Reads a label; returns the index of the comma or brace behind it, -1 if there is none. */
  private int label(byte[] b, int off, int end) {
    int keyEnd = stringEnd(b, off, end);
    int colon = keyEnd < 0 ? end : Words.notBlank(b, keyEnd + 1, end);
    int value = colon < end && b[colon] == ':' ? Words.notBlank(b, colon + 1, end) : end;
    int valueEnd = value < end && b[value] == '"' ? stringEnd(b, value, end) : NONE;
    if (valueEnd < 0) {
      return NONE;
    }
    toMetric = Arrays.equals(b, off + 1, keyEnd, NAME, 0, NAME.length);
    boolean good = true;
    if (toMetric) {
      series.cutMetric(0);
      good = copy(b, value + 1, valueEnd);
    } else if (valueEnd > value + 1) {
      series.key();
      good = copy(b, off + 1, keyEnd);
      series.value();
      good &= copy(b, value + 1, valueEnd);
    }
    int p = Words.notBlank(b, valueEnd + 1, end);
    return good && p < end && (b[p] == ',' || b[p] == '}') ? p : NONE;
  }

  /** The closing quote of the string at an offset, -1 if there is none. */
  static int stringEnd(byte[] b, int off, int end) {
    int p = off + 1;
    while (p < end && b[p] != '"') {
      p += b[p] == '\\' ? 2 : 1;
    }
    return p < end ? p : NONE;
  }

  /** Whether these are the bytes of a word. */
  static boolean is(byte[] b, int off, int end, String word) {
    if (end - off != word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (b[off + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Copies the inside of a string; false if it has a bad escape. */
  private boolean copy(byte[] b, int off, int end) {
    int p = off;
    while (p < end) {
      byte c = b[p++];
      if (c != '\\') {
        put(c);
        continue;
      }
      byte escaped = b[p++];
      if (escaped == 'u') {
        int units = unicode(b, p, end);
        if (units == 0) {
          return false;
        }
        p += units;
      } else {
        int plain = "\"\\/bfnrt".indexOf(escaped);
        if (plain < 0) {
          return false;
        }
        put((byte) "\"\\/\b\f\n\r\t".charAt(plain));
      }
    }
    return true;
  }

  /** Copies one character from its UTF-16 units; returns the bytes read behind the u, 0 if bad. */
  private int unicode(byte[] b, int off, int end) {
    int first = unit(b, off, end);
    int length = 4;
    String text = String.valueOf((char) first);
    if (first >= 0 && Character.isHighSurrogate((char) first)) {
      boolean second = off + 6 <= end && b[off + 4] == '\\' && b[off + 5] == 'u';
      int low = second ? unit(b, off + 6, end) : NONE;
      if (low < 0 || !Character.isLowSurrogate((char) low)) {
        return 0;
      }
      text += (char) low;
      length = 10;
    } else if (first < 0 || Character.isLowSurrogate((char) first)) {
      return 0;
    }
    for (byte c : text.getBytes(StandardCharsets.UTF_8)) {
      put(c);
    }
    return length;
  }

  private static int unit(byte[] b, int off, int end) {
    if (off + 4 > end) {
      return NONE;
    }
    int unit = 0;
    for (int i = off; i < off + 4; i++) {
      int digit = b[i] < 0 ? NONE : Character.digit(b[i], HEX);
      if (digit < 0) {
        return NONE;
      }
      unit = unit * HEX + digit;
    }
    return unit;
  }

  private void put(byte c) {
    if (toMetric) {
      series.metric(c);
    } else {
      series.tag(c);
    }
  }
}
