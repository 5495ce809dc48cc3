package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * JSON lines of VictoriaMetrics' {@code /api/v1/export}: a series with some of its points in each
 * line.
 *
 * <pre>
 *   {"metric":{"__name__":"up","job":"a"},"values":[1,0.5,null],"timestamps":[1549891472010,...]}
 * </pre>
 *
 * <p>Times are milliseconds. {@code null} is a stale marker: VictoriaMetrics stores no other NaN.
 * Infinities are strings. A label with an empty value is the same as none. A rejected point is
 * handed over as a line with this point alone. A line with unequally many values and times is
 * rejected as a whole, and counts as one point.
 */
final class VictoriaMetricsLineParser implements LineParser {
  private static final String RULE =
      "a line must be {\"metric\":{\"__name__\":...},\"values\":[...],\"timestamps\":[...]}";
  private static final int NONE = -1;

  private final ParseOptions options;
  private final JsonSeries series;
  private final NumberText number = new NumberText();
  private final Line at = new Line();
  private int metric;
  private int metricEnd;
  private int values;
  private int times;

  VictoriaMetricsLineParser(ParseOptions options) {
    this.options = options;
    this.series = new JsonSeries(options.anyName());
  }

  @Override
  public int parse(byte[] b, int off, int end, long line, PointHandler handler) throws IOException {
    at.set(b, off, end, line, handler);
    int pairs = members(b, off, end, line) ? pairs(b, end) : NONE;
    if (pairs == NONE) {
      return at.malformed(RULE);
    }
    SeriesText text = series.text();
    if ((long) pairs * (text.metricLen + text.tagsLen) > Line.MAX_NAMES) {
      return at.malformed(Line.NAMES_RULE);
    }
    boolean clean = series.isClean();
    int points = 0;
    int v = Words.notBlank(b, values + 1, end);
    int t = Words.notBlank(b, times + 1, end);
    while (b[v] != ']') {
      int valueEnd = tokenEnd(b, v, end);
      int timeEnd = tokenEnd(b, t, end);
      points += point(b, v, valueEnd, t, timeEnd, clean, text, handler);
      v = next(b, valueEnd, end);
      t = next(b, timeEnd, end);
    }
    return points;
  }

  /**
   * The length of both arrays; -1 if they are not whole and equally long: then no value belongs to
   * a time.
   */
  private int pairs(byte[] b, int end) {
    int pairs = 0;
    int v = Words.notBlank(b, values + 1, end);
    int t = Words.notBlank(b, times + 1, end);
    while (v < end && t < end && b[v] != ']' && b[t] != ']') {
      v = next(b, tokenEnd(b, v, end), end);
      t = next(b, tokenEnd(b, t, end), end);
      pairs++;
    }
    return v < end && t < end && b[v] == ']' && b[t] == ']' ? pairs : NONE;
  }

  @Override
  public String longLineHint() {
    return " (export with max_rows_per_line=10000)";
  }

  /** Finds the members, and reads the series; false if the line is malformed. */
  private boolean members(byte[] b, int off, int end, long line) {
    metric = NONE;
    values = NONE;
    times = NONE;
    int p = Words.notBlank(b, off + 1, end);
    if (b[off] != '{') {
      return false;
    }
    while (p < end && b[p] == '"') {
      int key = p + 1;
      int keyEnd = JsonSeries.stringEnd(b, p, end);
      int value = keyEnd < 0 ? NONE : Words.notBlank(b, keyEnd + 1, end);
      if (value < 0 || value >= end || b[value] != ':') {
        return false;
      }
      value = Words.notBlank(b, value + 1, end);
      p = member(b, key, keyEnd, value, end, line);
      if (p < 0) {
        return false;
      }
      p = Words.notBlank(b, p, end);
      if (p < end && b[p] == ',') {
        p = Words.notBlank(b, p + 1, end);
      } else if (p < end && b[p] == '}') {
        return p + 1 == end && metric != NONE && values != NONE && times != NONE;
      }
    }
    return false;
  }

  /** Reads a member; returns the index behind it, -1 if it is malformed, unknown or repeated. */
  private int member(byte[] b, int key, int keyEnd, int value, int end, long line) {
    if (metric == NONE && JsonSeries.is(b, key, keyEnd, "metric")) {
      metric = value;
      metricEnd = series.read(b, value, end, line);
      return metricEnd;
    }
    if (value == end || b[value] != '[') {
      return NONE;
    }
    if (values == NONE && JsonSeries.is(b, key, keyEnd, "values")) {
      values = value;
    } else if (times == NONE && JsonSeries.is(b, key, keyEnd, "timestamps")) {
      times = value;
    } else {
      return NONE;
    }
    int p = value;
    while (p < end && b[p] != ']') {
      p++;
    }
    return p < end ? p + 1 : NONE;
  }

  private int point(
      byte[] b,
      int value,
      int valueEnd,
      int time,
      int timeEnd,
      boolean clean,
      SeriesText text,
      PointHandler handler)
      throws IOException {
    long timestamp =
        number.read(b, time, timeEnd) == NumberText.Kind.INTEGER
            ? Timestamps.millis(number.integer)
            : Timestamps.BAD;
    if (timestamp == Timestamps.BAD) {
      return reject(
          RejectReason.BAD_TIMESTAMP,
          ErrorText.text(Timestamps.MILLIS_RULE, b, time, timeEnd),
          b,
          value,
          valueEnd,
          time,
          timeEnd);
    }
    if (!clean) {
      return reject(
          RejectReason.ILLEGAL_NAME, SeriesBuilder.rule(), b, value, valueEnd, time, timeEnd);
    }
    NumberText.Kind kind = number.readAny(b, value, valueEnd);
    if (kind == NumberText.Kind.INTEGER) {
      handler.integer(text, timestamp, number.integer);
    } else if (kind == NumberText.Kind.FLOATING) {
      handler.floating(text, timestamp, number.floating);
    } else {
      return unstorable(kind, b, value, valueEnd, time, timeEnd, handler);
    }
    return 1;
  }

  private int unstorable(
      NumberText.Kind kind,
      byte[] b,
      int value,
      int valueEnd,
      int time,
      int timeEnd,
      PointHandler handler)
      throws IOException {
    boolean quoted = valueEnd - value >= 2 && b[value] == '"' && b[valueEnd - 1] == '"';
    SkipKind what =
        JsonSeries.is(b, value, valueEnd, "null")
            ? SkipKind.STALE
            : UnstorableValue.ofNumber(
                b, quoted ? value + 1 : value, quoted ? valueEnd - 1 : valueEnd);
    if (what != null && options.skip().contains(what)) {
      handler.skippedPoint(what);
      return 1;
    }
    String rule = kind.rule() + (what == null ? "" : Line.hint(what));
    return reject(
        RejectReason.BAD_VALUE,
        ErrorText.text(rule, b, value, valueEnd),
        b,
        value,
        valueEnd,
        time,
        timeEnd);
  }

  private int reject(
      RejectReason reason, String detail, byte[] b, int value, int valueEnd, int time, int timeEnd)
      throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    text(line, "{\"metric\":");
    line.write(b, metric, metricEnd - metric);
    text(line, ",\"values\":[");
    line.write(b, value, valueEnd - value);
    text(line, "],\"timestamps\":[");
    line.write(b, time, timeEnd - time);
    text(line, "]}");
    return at.reject(reason, detail, line.toByteArray());
  }

  private static void text(ByteArrayOutputStream line, String text) {
    line.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Behind an element of an array. */
  private static int tokenEnd(byte[] b, int off, int end) {
    int p = off;
    while (p < end && b[p] != ',' && b[p] != ']' && b[p] > ' ') {
      p++;
    }
    return p;
  }

  /** The next element, the end of the array, or {@code end} if neither is there. */
  private static int next(byte[] b, int off, int end) {
    int p = Words.notBlank(b, off, end);
    if (p < end && b[p] == ',') {
      p = Words.notBlank(b, p + 1, end);
      return p < end && b[p] == ']' ? end : p;
    }
    return p < end && b[p] == ']' ? p : end;
  }
}
