package io.tsdbsuite.bulk.parse;

import io.tsdbsuite.bulk.report.Count;
import io.tsdbsuite.bulk.report.RejectReason;
import java.io.IOException;

/**
 * InfluxDB line protocol.
 *
 * <pre>
 *   measurement[,tag=value ...] field=value[,field=value ...] time
 * </pre>
 *
 * <p>A field becomes a metric of the name {@code measurement.field}. A field named {@code value}
 * gives the measurement alone, in every line: InfluxDB's own OpenTSDB listener and most
 * single-value inputs write such fields, so exported points get their old name.
 *
 * <p>A backslash escapes a comma, a blank and, except in the measurement, {@code =}; before other
 * characters it is literal. Values: {@code 1i} and {@code 1u} are integers, the latter up to
 * 2^63-1; {@code 1} and {@code 1.5} are floating. Strings and booleans cannot be stored: each such
 * field is rejected, the others of its line are loaded. A line without a time is rejected. A string
 * with a line break is not supported: its line is rejected, and the text behind the break is parsed
 * as a line.
 */
final class InfluxLineParser implements LineParser {
  /** Between the names of measurement and field. */
  private static final byte[] SEPARATOR = {'.'};

  private static final String RULE =
      "a line must have a measurement, tags as key=value, fields as key=value and a time; a"
          + " backslash must escape a comma, a blank and = in names and values of tags";

  private final ParseOptions options;
  private final InfluxSections sections;
  private final SeriesBuilder series;
  private final InfluxNumber number = new InfluxNumber();
  private final Line at = new Line();

  InfluxLineParser(ParseOptions options, InfluxSections sections) {
    this.options = options;
    this.series = new SeriesBuilder(options.anyName());
    this.sections = sections;
  }

  @Override
  public void comment(byte[] b, int off, int end, long line) {
    sections.comment(b, off, end, line);
  }

  @Override
  public int parse(byte[] b, int off, int end, long line, PointHandler handler) throws IOException {
    if (sections.isStatement(b, off, end)) {
      handler.withoutPoint();
      return 0;
    }
    Count skipped = sections.skipped();
    if (skipped != null) {
      handler.skipped(skipped);
      return 0;
    }
    at.set(b, off, end, line, handler);
    series.start(end - off + SEPARATOR.length, line);
    int p = InfluxText.end(b, off, end, ',');
    copyMetric(b, off, p, false);
    int measurement = series.metricLength();
    boolean goOn = measurement > 0;
    while (goOn && p < end && b[p] == ',') {
      int key = p + 1;
      int keyEnd = InfluxText.end(b, key, end, '=');
      goOn = keyEnd < end && b[keyEnd] == '=';
      if (goOn) {
        p = InfluxText.end(b, keyEnd + 1, end, '=');
        // InfluxDB refuses it, too: the backslash at the end of a Windows path escapes the comma.
        goOn = p == end || b[p] != '=';
        series.key();
        copyTag(b, key, keyEnd);
        series.value();
        copyTag(b, keyEnd + 1, p);
      }
    }
    int fields = Words.notBlank(b, p, end);
    int fieldsEnd = InfluxText.fieldsEnd(b, fields, end);
    int equals = InfluxText.end(b, fields, fieldsEnd, '=');
    if (!goOn || fields == p || equals == fieldsEnd || b[equals] != '=') {
      return at.malformed(RULE);
    }
    int time = Words.notBlank(b, fieldsEnd, end);
    long timestamp = timestamp(b, time, end);
    if (timestamp == Timestamps.BAD) {
      return at.reject(RejectReason.BAD_TIMESTAMP, ErrorText.text(timeRule(), b, time, end));
    }
    return fields(b, fields, fieldsEnd, measurement, timestamp);
  }

  private int fields(byte[] b, int from, int end, int measurement, long timestamp)
      throws IOException {
    int points = 0;
    long names = 0;
    int p = from;
    while (p < end) {
      int equals = InfluxText.end(b, p, end, '=');
      if (equals == p || equals >= end || b[equals] != '=') {
        return points + at.malformed(RULE);
      }
      int value = equals + 1;
      int valueEnd = InfluxText.valueEnd(b, value, end);
      nameMetric(b, p, equals, measurement);
      names += (long) series.metricLength() + series.tagsLength();
      if (names > Line.MAX_NAMES) {
        return points + at.malformed(Line.NAMES_RULE);
      }
      points += point(b, value, valueEnd, timestamp);
      p = valueEnd + 1;
    }
    return b[end - 1] == ',' ? points + at.malformed(RULE) : points;
  }

  private void nameMetric(byte[] b, int field, int end, int measurement) {
    series.cutMetric(measurement);
    if (!InfluxText.isValue(b, field, end)) {
      series.metric(SEPARATOR, 0, SEPARATOR.length);
      copyMetric(b, field, end, true);
    }
  }

  private int point(byte[] b, int off, int end, long timestamp) throws IOException {
    if (!series.isClean()) {
      return at.reject(RejectReason.ILLEGAL_NAME, SeriesBuilder.rule());
    }
    NumberText.Kind kind = number.read(b, off, end);
    if (kind == NumberText.Kind.INTEGER) {
      at.handler.integer(series.series(), timestamp, number.integer());
    } else if (kind == NumberText.Kind.FLOATING) {
      at.handler.floating(series.series(), timestamp, number.floating());
    } else {
      return at.unstorable(
          UnstorableValue.ofField(b, off, end), options.skip(), kind.rule(), off, end);
    }
    return 1;
  }

  private long timestamp(byte[] b, int off, int end) {
    NumberText.Kind kind = number.readPlain(b, off, end);
    if (kind != NumberText.Kind.INTEGER) {
      return Timestamps.BAD;
    }
    long time = number.integer();
    long unit = options.influxPrecision().perMilli();
    if (unit == 0) {
      return Timestamps.seconds(time);
    }
    if (time % unit != 0 && !options.rounding().cuts()) {
      return Timestamps.BAD;
    }
    return Timestamps.millis(time / unit);
  }

  private String timeRule() {
    return "a line must end with a time in "
        + options.influxPrecision().key()
        + (options.rounding().cuts() ? "" : " that is whole milliseconds (or with --time-rounding)")
        + "; "
        + Timestamps.MILLIS_RULE;
  }

  private void copyMetric(byte[] b, int off, int end, boolean equalsToo) {
    int p = off;
    while (p < end) {
      p += InfluxText.escapes(b, p, end, equalsToo) ? 1 : 0;
      series.metric(b[p++]);
    }
  }

  private void copyTag(byte[] b, int off, int end) {
    int p = off;
    while (p < end) {
      p += InfluxText.escapes(b, p, end, true) ? 1 : 0;
      series.tag(b[p++]);
    }
  }

  /** A number of InfluxDB line protocol: its last character determines its type. */
  private static final class InfluxNumber {
    private final NumberText number = new NumberText();
    private double floating;

    /** Reads the value of a field. */
    NumberText.Kind read(byte[] b, int off, int end) {
      byte last = end > off ? b[end - 1] : 0;
      if (last == 'i' || last == 'u') {
        NumberText.Kind kind = number.read(b, off, end - 1);
        boolean whole = kind == NumberText.Kind.INTEGER && (last == 'i' || b[off] != '-');
        return whole || kind == NumberText.Kind.TOO_LARGE ? kind : NumberText.Kind.NOT_A_NUMBER;
      }
      NumberText.Kind kind = number.readFloating(b, off, end);
      floating = number.floating;
      return kind;
    }

    /** Reads an integer without a letter. */
    NumberText.Kind readPlain(byte[] b, int off, int end) {
      return number.read(b, off, end);
    }

    long integer() {
      return number.integer;
    }

    double floating() {
      return floating;
    }
  }
}
