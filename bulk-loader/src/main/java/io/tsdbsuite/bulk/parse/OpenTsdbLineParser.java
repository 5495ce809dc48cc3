package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;

/**
 * Import lines, and telnet's puts.
 *
 * <pre>
 *   [put] metric timestamp value tagk=tagv [tagk=tagv ...]      blanks or tabs between
 * </pre>
 *
 * <p>The time is seconds, milliseconds, or {@code seconds.mmm}, which is milliseconds. The series
 * is handed over as it stands in the line.
 */
final class OpenTsdbLineParser implements LineParser {
  private static final long PUT = 'p' | 'u' << 8 | 't' << 16;
  private static final long THREE_BYTES = 0xffffffL;

  private final ParseOptions options;
  private final SeriesText series = new SeriesText();
  private final NumberText number = new NumberText();
  private final Line at = new Line();

  OpenTsdbLineParser(ParseOptions options) {
    this.options = options;
  }

  @Override
  public int parse(byte[] b, int off, int end, long line, PointHandler handler) throws IOException {
    at.set(b, off, end, line, handler);
    int metric = off;
    int metricEnd = Words.blank(b, off, end);
    if (metricEnd - metric == 3 && (Words.load(b, off) & THREE_BYTES) == PUT) {
      metric = Words.notBlank(b, metricEnd, end);
      metricEnd = Words.blank(b, metric, end);
    }
    int time = Words.notBlank(b, metricEnd, end);
    int timeEnd = Words.blank(b, time, end);
    int value = Words.notBlank(b, timeEnd, end);
    int valueEnd = Words.blank(b, value, end);
    if (value == valueEnd) {
      return at.malformed("a line must have metric, timestamp, value and tags");
    }
    long timestamp = Timestamps.read(b, time, timeEnd);
    if (timestamp == Timestamps.BAD) {
      timestamp = Timestamps.readDotted(b, time, timeEnd, options.rounding());
      if (timestamp == Timestamps.BAD) {
        return at.reject(
            RejectReason.BAD_TIMESTAMP, ErrorText.text(Timestamps.RULE, b, time, timeEnd));
      }
    }
    NumberText.Kind kind = number.read(b, value, valueEnd);
    int tags = Words.notBlank(b, valueEnd, end);
    series.bytes = b;
    series.metricOff = metric;
    series.metricLen = metricEnd - metric;
    series.tagsOff = tags;
    series.tagsLen = end - tags;
    series.line = line;
    if (kind == NumberText.Kind.INTEGER) {
      handler.integer(series, timestamp, number.integer);
    } else if (kind == NumberText.Kind.FLOATING) {
      handler.floating(series, timestamp, number.floating);
    } else {
      return unstorable(kind, b, value, valueEnd);
    }
    return 1;
  }

  /** Apart, to keep the parsing of good lines small. */
  private int unstorable(NumberText.Kind kind, byte[] b, int off, int end) throws IOException {
    return at.unstorable(
        UnstorableValue.ofNumber(b, off, end), options.skip(), kind.rule(), off, end);
  }
}
