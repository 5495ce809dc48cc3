package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;

/**
 * Graphite's plain text, with the tags of Graphite 1.1.
 *
 * <pre>
 *   path[;tag=value ...] value timestamp      blanks or tabs between
 * </pre>
 *
 * <p>A key must not have {@code !} or {@code ^}, and a value must not begin with {@code ~}, as
 * Graphite has it. The time is in seconds, with an optional fraction, not before 1973. Values
 * written as integers of 64 bits are stored as such, all others as floating.
 */
final class GraphiteLineParser implements LineParser {
  private static final String RULE =
      "a line must be path;tag=value, value and timestamp, without quotes and braces";

  private final ParseOptions options;
  private final SeriesBuilder series;
  private final NumberText number = new NumberText();
  private final Line at = new Line();

  GraphiteLineParser(ParseOptions options) {
    this.options = options;
    this.series = new SeriesBuilder(options.anyName());
  }

  @Override
  public int parse(byte[] b, int off, int end, long line, PointHandler handler) throws IOException {
    at.set(b, off, end, line, handler);
    int pathEnd = Words.blank(b, off, end);
    int value = Words.notBlank(b, pathEnd, end);
    int valueEnd = Words.blank(b, value, end);
    int time = Words.notBlank(b, valueEnd, end);
    int timeEnd = Words.blank(b, time, end);
    if (time == timeEnd || timeEnd < end || !name(b, off, pathEnd, line)) {
      return at.malformed(RULE);
    }
    long timestamp = Timestamps.decimalSeconds(b, time, timeEnd, options.rounding());
    if (timestamp == Timestamps.BAD) {
      return at.reject(
          RejectReason.BAD_TIMESTAMP,
          ErrorText.text(
              Timestamps.decimalSecondsRule(b, time, timeEnd, number), b, time, timeEnd));
    }
    if (!series.isClean()) {
      return at.reject(RejectReason.ILLEGAL_NAME, SeriesBuilder.rule());
    }
    NumberText.Kind kind = number.readAny(b, value, valueEnd);
    if (kind == NumberText.Kind.INTEGER) {
      handler.integer(series.series(), timestamp, number.integer);
    } else if (kind == NumberText.Kind.FLOATING) {
      handler.floating(series.series(), timestamp, number.floating);
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

  /** Copies path and tags; false if they are malformed. */
  private boolean name(byte[] b, int off, int end, long line) {
    series.start(end - off, line);
    int p = off;
    while (p < end && b[p] != ';') {
      if (b[p] == '{' || b[p] == '}' || b[p] == '"') {
        return false;
      }
      series.metric(b[p++]);
    }
    while (p < end) {
      p++;
      int key = p;
      series.key();
      while (p < end && !endsKey(b[p])) {
        series.tag(b[p++]);
      }
      if (p == key || p == end || b[p] != '=') {
        return false;
      }
      series.value();
      p++;
      int value = p;
      if (p < end && b[p] == '~') {
        return false;
      }
      while (p < end && b[p] != ';') {
        series.tag(b[p++]);
      }
      if (p == value) {
        return false;
      }
    }
    return series.metricLength() > 0;
  }

  private static boolean endsKey(byte c) {
    return c == '=' || c == ';' || c == '!' || c == '^';
  }
}
