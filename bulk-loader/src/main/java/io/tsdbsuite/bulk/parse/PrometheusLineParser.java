package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Prometheus' text exposition with timestamps, and OpenMetrics text.
 *
 * <pre>
 *   metric[{label="value",...}] value timestamp [# exemplar]
 * </pre>
 *
 * <p>Timestamps are milliseconds in the one, seconds with an optional fraction, not before 1973, in
 * the other. A line without one is rejected. In label values {@code \\}, {@code \"} and {@code \n}
 * stand for a backslash, a quote and a line break. A label with an empty value is the same as none.
 * Values written as integers of 64 bits are stored as such, all others as floating; NaN and
 * infinities are rejected. The metric may also be the label {@code __name__}, as {@code promtool
 * tsdb dump} has it, or stand in quotes among the labels; labels' names may be quoted too, as
 * Prometheus 3 writes names of any characters. Lines of {@code #} are comments, {@code # EOF} too.
 */
final class PrometheusLineParser implements LineParser {
  private static final String RULE =
      "a line must have a metric, labels as {name=\"value\"}, value and timestamp";

  private static final byte[] NAME = "__name__".getBytes(StandardCharsets.UTF_8);

  private final ParseOptions options;
  private final boolean openMetrics;
  private final SeriesBuilder series;
  private final NumberText number = new NumberText();
  private final Line at = new Line();

  PrometheusLineParser(ParseOptions options, boolean openMetrics) {
    this.options = options;
    this.series = new SeriesBuilder(options.anyName());
    this.openMetrics = openMetrics;
  }

  @Override
  public int parse(byte[] b, int off, int end, long line, PointHandler handler) throws IOException {
    at.set(b, off, end, line, handler);
    series.start(end - off, line);
    int p = name(b, off, end);
    series.metric(b, off, p - off);
    boolean good = p < end && (b[p] == '{' || Words.isBlank(b[p]));
    p = Words.notBlank(b, p, end);
    if (p < end && b[p] == '{') {
      p = labels(b, p + 1, end);
    }
    if (!good || p < 0 || series.metricLength() == 0) {
      return at.malformed(RULE);
    }
    int value = Words.notBlank(b, p, end);
    int valueEnd = Words.blank(b, value, end);
    int time = Words.notBlank(b, valueEnd, end);
    int timeEnd = Words.blank(b, time, end);
    int rest = Words.notBlank(b, timeEnd, end);
    if (value == valueEnd || (rest < end && !(openMetrics && b[rest] == '#'))) {
      return at.malformed(RULE);
    }
    return point(b, value, valueEnd, time, timeEnd);
  }

  private int point(byte[] b, int value, int valueEnd, int time, int timeEnd) throws IOException {
    long timestamp =
        openMetrics
            ? Timestamps.decimalSeconds(b, time, timeEnd, options.rounding())
            : millis(b, time, timeEnd);
    if (timestamp == Timestamps.BAD) {
      String rule =
          openMetrics
              ? Timestamps.decimalSecondsRule(b, time, timeEnd, number)
              : "a Prometheus timestamp must be milliseconds; " + Timestamps.MILLIS_RULE;
      return at.reject(RejectReason.BAD_TIMESTAMP, ErrorText.text(rule, b, time, timeEnd));
    }
    if (!series.isClean()) {
      return at.reject(RejectReason.ILLEGAL_NAME, SeriesBuilder.rule());
    }
    NumberText.Kind kind = number.readAny(b, value, valueEnd);
    if (kind == NumberText.Kind.INTEGER) {
      at.handler.integer(series.series(), timestamp, number.integer);
    } else if (kind == NumberText.Kind.FLOATING) {
      at.handler.floating(series.series(), timestamp, number.floating);
    } else {
      return at.unstorable(
          UnstorableValue.ofNumber(b, value, valueEnd),
          options.skip(),
          kind.rule(),
          value,
          valueEnd);
    }
    return 1;
  }

  private long millis(byte[] b, int off, int end) {
    return number.read(b, off, end) == NumberText.Kind.INTEGER
        ? Timestamps.millis(number.integer)
        : Timestamps.BAD;
  }

  /**
   * Copies the labels; returns the index after the closing brace, -1 if the labels are malformed.
   */
  private int labels(byte[] b, int off, int end) {
    int p = Words.notBlank(b, off, end);
    while (p < end && b[p] != '}') {
      boolean quoted = b[p] == '"';
      int key = quoted ? p + 1 : p;
      int keyEnd = quoted ? quote(b, key, end) : label(b, key, end);
      if (keyEnd == key || keyEnd == end) {
        return -1;
      }
      p = Words.notBlank(b, quoted ? keyEnd + 1 : keyEnd, end);
      if (p < end && b[p] == '=') {
        p = Words.notBlank(b, p + 1, end);
        p = p < end && b[p] == '"' ? label(b, key, keyEnd, p + 1, end) : -1;
        p = p < 0 ? p : Words.notBlank(b, p, end);
      } else if (quoted && series.metricLength() == 0) {
        copy(b, key, keyEnd, true);
      } else {
        return -1;
      }
      if (p < 0 || p == end || (b[p] != ',' && b[p] != '}')) {
        return -1;
      }
      if (b[p] == ',') {
        p = Words.notBlank(b, p + 1, end);
      }
    }
    return p < end ? p + 1 : -1;
  }

  /** Copies a label; returns the index after its closing quote, -1 if there is none. */
  private int label(byte[] b, int key, int keyEnd, int value, int end) {
    boolean metric = series.metricLength() == 0 && isName(b, key, keyEnd);
    int before = series.tagsLength();
    if (!metric) {
      series.key();
      if (b[key - 1] == '"') {
        copy(b, key, keyEnd, false);
      } else {
        for (int p = key; p < keyEnd; p++) {
          series.tag(b[p]);
        }
      }
      series.value();
    }
    int empty = series.tagsLength();
    int p = copy(b, value, end, metric);
    if (series.tagsLength() == empty) {
      series.cutTags(before);
    }
    return p < end ? p + 1 : -1;
  }

  /** Copies text up to a quote, or to the end; returns the index of the quote, or the end. */
  private int copy(byte[] b, int off, int end, boolean metric) {
    int p = off;
    while (p < end && b[p] != '"') {
      byte c = b[p++];
      if (c == '\\' && p < end && (b[p] == '\\' || b[p] == '"' || b[p] == 'n')) {
        c = b[p] == 'n' ? (byte) '\n' : b[p];
        p++;
      }
      if (metric) {
        series.metric(c);
      } else {
        series.tag(c);
      }
    }
    return p;
  }

  /** The first quote that is not escaped, {@code end} if there is none. */
  private static int quote(byte[] b, int off, int end) {
    int p = off;
    while (p < end && b[p] != '"') {
      p += b[p] == '\\' ? 2 : 1;
    }
    return Math.min(p, end);
  }

  private static boolean isName(byte[] b, int off, int end) {
    return Arrays.equals(b, off, end, NAME, 0, NAME.length);
  }

  /** Behind the letters, digits and underscores; only metrics have colons. */
  private static int label(byte[] b, int off, int end) {
    int p = off;
    while (p < end && isNamePart(b[p]) && b[p] != ':') {
      p++;
    }
    return p > off && SwarDigits.isDigit(b[off]) ? off : p;
  }

  /** Behind the letters, digits, underscores and colons. */
  private static int name(byte[] b, int off, int end) {
    int p = off;
    while (p < end && isNamePart(b[p])) {
      p++;
    }
    return p > off && SwarDigits.isDigit(b[off]) ? off : p;
  }

  private static boolean isNamePart(byte c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == ':';
  }
}
