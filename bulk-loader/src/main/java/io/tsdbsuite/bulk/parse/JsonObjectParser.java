package io.tsdbsuite.bulk.parse;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.tsdbsuite.bulk.report.RejectReason;
import io.tsdbsuite.bulk.report.SkipKind;
import java.io.CharConversionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One object of /api/put.
 *
 * <pre>
 *   {"metric": "m", "timestamp": 1356998400, "value": 42, "tags": {"host": "a"}}
 * </pre>
 *
 * <p>Timestamp and value may be strings; tag values may be numbers and booleans; other members are
 * ignored. Of a member that comes twice the last one counts. A fraction of a timestamp that is a
 * number is cut off, as a TSD does.
 */
final class JsonObjectParser {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          // A TSD reads NaN and the infinities without quotes, and rejects their points alone.
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          // A TSD's Jackson has no limits, and an object has at most 1 MiB.
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final ParseOptions options;
  private final SeriesBuilder series;
  private final NumberText number = new NumberText();
  private final CommonObject common;
  private final boolean fast;
  private byte[] token = new byte[64];
  private int tokenLen;
  private @Nullable RejectReason reason;
  private String detail = "";
  private long timestamp;
  private NumberText.@Nullable Kind kind;
  private @Nullable SkipKind skipped;
  private String problem = "";
  private int place;

  JsonObjectParser(ParseOptions options) {
    this(options, true);
  }

  /**
   * A parser.
   *
   * @param fast false to let Jackson read all objects
   */
  JsonObjectParser(ParseOptions options, boolean fast) {
    this.options = options;
    this.series = new SeriesBuilder(options.anyName());
    this.common = new CommonObject(series, number);
    this.fast = fast;
  }

  /**
   * Reads an object, and passes its point or its rejection to the handler.
   *
   * @param b goes on for {@link Words#SLACK} bytes behind the object
   * @param handler null to read without a receiver
   * @return index of the malformed byte, relative to {@code off}; -1 if the text is well-formed
   */
  int parse(byte[] b, int off, int len, long line, @Nullable PointHandler handler)
      throws IOException {
    if (parseCommon(b, off, off + len, line, handler) >= 0) {
      return -1;
    }
    if (!read(b, off, len, line)) {
      return place;
    }
    if (handler != null) {
      handOver(b, off, len, line, handler);
    }
    return -1;
  }

  /**
   * Reads an object of the common form, and passes its point to the handler.
   *
   * @param b goes on for {@link Words#SLACK} bytes behind the end
   * @param end where the text ends, at or behind the end of the object
   * @param handler null to read without a receiver
   * @return the index behind the object, -1 if it is none of the common form
   */
  int parseCommon(byte[] b, int off, int end, long line, @Nullable PointHandler handler)
      throws IOException {
    int behind = fast ? common.read(b, off, end, line) : -1;
    if (behind >= 0 && handler != null) {
      point(common.timestamp, common.kind, handler);
    }
    return behind;
  }

  /** Reads an object by Jackson; false if it is malformed. */
  private boolean read(byte[] b, int off, int len, long line) throws IOException {
    // A character escaped as \\uXXXX takes at most 3 bytes, its escape 6.
    series.start(len, line);
    reason = null;
    timestamp = 0;
    kind = null;
    skipped = null;
    try (JsonParser parser = FACTORY.createParser(b, off, len)) {
      try {
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          member(parser);
        }
      } catch (JsonProcessingException e) {
        // Jackson's own places count from the object.
        problem = e.getOriginalMessage().replaceAll("\\s*\\([^()]*\\[Source.*", "");
        JsonLocation found = e.getLocation();
        place = found == null ? 0 : (int) Math.max(0, found.getByteOffset());
        return false;
      } catch (CharConversionException e) {
        problem = String.valueOf(e.getMessage());
        place = 0;
        return false;
      }
    }
    return true;
  }

  /** The error of the last broken text. */
  String problem() {
    return problem;
  }

  private void member(JsonParser parser) throws IOException {
    String name = parser.currentName();
    JsonToken value = parser.nextToken();
    switch (name) {
      case "metric" -> metric(parser, value);
      case "timestamp" -> timestamp(parser, value);
      case "value" -> value(parser, value);
      case "tags" -> tags(parser, value);
      default -> parser.skipChildren();
    }
  }

  private void metric(JsonParser parser, JsonToken value) throws IOException {
    series.cutMetric(0);
    if (value.isStructStart()) {
      refuse(RejectReason.MALFORMED_LINE, "metric must be a string, found an object or array");
      parser.skipChildren();
    } else if (value != JsonToken.VALUE_NULL) {
      copy(parser);
      series.metric(token, 0, tokenLen);
    }
  }

  private void timestamp(JsonParser parser, JsonToken value) throws IOException {
    timestamp = Timestamps.BAD;
    if (value.isScalarValue()) {
      copy(parser);
      timestamp =
          value == JsonToken.VALUE_NUMBER_FLOAT
              ? Timestamps.either((long) parser.getDoubleValue())
              : Timestamps.read(token, 0, tokenLen);
      if (timestamp == Timestamps.BAD) {
        refuse(RejectReason.BAD_TIMESTAMP, ErrorText.text(Timestamps.RULE, token, 0, tokenLen));
      }
    } else {
      refuse(RejectReason.BAD_TIMESTAMP, Timestamps.RULE + ", found an object or array");
      parser.skipChildren();
    }
  }

  private void value(JsonParser parser, JsonToken value) throws IOException {
    skipped = null;
    kind = NumberText.Kind.NOT_A_NUMBER;
    if (value.isScalarValue()) {
      copy(parser);
      kind = number.read(token, 0, tokenLen);
      if (kind != NumberText.Kind.INTEGER && kind != NumberText.Kind.FLOATING) {
        unstorable(value, kind);
      }
    } else {
      refuse(RejectReason.BAD_VALUE, kind.rule() + ", found an object or array");
      parser.skipChildren();
    }
  }

  private void unstorable(JsonToken value, NumberText.Kind found) {
    SkipKind what =
        value.isBoolean() ? SkipKind.BOOLEANS : UnstorableValue.ofNumber(token, 0, tokenLen);
    if (what != null && options.skip().contains(what)) {
      skipped = what;
    } else {
      String hint = what == null ? "" : Line.hint(what);
      refuse(RejectReason.BAD_VALUE, ErrorText.text(found.rule() + hint, token, 0, tokenLen));
    }
  }

  private void tags(JsonParser parser, JsonToken value) throws IOException {
    series.cutTags(0);
    if (value != JsonToken.START_OBJECT) {
      if (value != JsonToken.VALUE_NULL) {
        refuse(RejectReason.BAD_TAGS, "tags must be an object");
      }
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      JsonToken tag = parser.nextToken();
      if (tag.isStructStart() || tag == JsonToken.VALUE_NULL) {
        refuse(RejectReason.BAD_TAGS, "the value of tag " + key + " must be a string");
        parser.skipChildren();
      } else {
        series.key();
        addTag(key.getBytes(StandardCharsets.UTF_8));
        series.value();
        copy(parser);
        for (int i = 0; i < tokenLen; i++) {
          series.tag(token[i]);
        }
      }
    }
  }

  private void addTag(byte[] name) {
    for (byte c : name) {
      series.tag(c);
    }
  }

  /** The first problem is reported. */
  private void refuse(RejectReason why, String rule) {
    if (reason == null) {
      reason = why;
      detail = rule;
    }
  }

  private void handOver(byte[] b, int off, int len, long line, PointHandler handler)
      throws IOException {
    if (series.metricLength() == 0) {
      refuse(RejectReason.MALFORMED_LINE, "a point must have a metric, found none");
    } else if (timestamp == 0) {
      refuse(RejectReason.BAD_TIMESTAMP, Timestamps.RULE + ", found none");
    } else if (kind == null) {
      refuse(RejectReason.BAD_VALUE, "a point must have a value, found none");
    } else if (!series.isClean()) {
      refuse(RejectReason.ILLEGAL_NAME, SeriesBuilder.rule());
    }
    if (reason != null) {
      handler.rejected(reason, line, detail, b, off, len);
    } else if (skipped != null) {
      handler.skippedPoint(skipped);
    } else {
      point(timestamp, kind, handler);
    }
  }

  private void point(long time, NumberText.@Nullable Kind found, PointHandler handler)
      throws IOException {
    if (found == NumberText.Kind.INTEGER) {
      handler.integer(series.series(), time, number.integer);
    } else {
      handler.floating(series.series(), time, number.floating);
    }
  }

  /** The text of a scalar, in UTF-8. */
  private void copy(JsonParser parser) throws IOException {
    char[] chars = parser.getTextCharacters();
    int from = parser.getTextOffset();
    int len = parser.getTextLength();
    if (token.length < 3 * len + Words.SLACK) {
      token = new byte[6 * len + Words.SLACK];
    }
    int n = 0;
    while (n < len && chars[from + n] < 0x80) {
      token[n] = (byte) chars[from + n];
      n++;
    }
    if (n == len) {
      tokenLen = n;
    } else {
      byte[] utf8 = new String(chars, from, len).getBytes(StandardCharsets.UTF_8);
      System.arraycopy(utf8, 0, token, 0, utf8.length);
      tokenLen = utf8.length;
    }
  }
}
