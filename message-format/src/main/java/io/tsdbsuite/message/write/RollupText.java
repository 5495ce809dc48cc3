package io.tsdbsuite.message.write;

import io.tsdbsuite.message.MessageTypes;
import java.util.Base64;
import java.util.Collections;
import java.util.List;

/** Writes the fields of a rollup, except for those of its series. Not thread-safe. */
final class RollupText {
  private static final byte[] TYPED = typed(MessageTypes.ROLLUP_VERSION);
  private static final byte[] TYPED_FURTHER = typed(MessageTypes.ROLLUP_VERSION_FURTHER);
  private static final byte[] TYPED_ARRAYS = typed(MessageTypes.ROLLUP_VERSION_ARRAYS);
  private static final byte[] UNTYPED = JsonText.ascii("{");
  private static final byte[] TIMESTAMP = JsonText.ascii(",\"timestamp\":");
  private static final byte[] INTERVAL = JsonText.ascii(",\"interval\":");
  private static final byte[] AS_OF = JsonText.ascii(",\"asOf\":");
  private static final byte[] VALUES = JsonText.ascii(",\"values\":{");
  private static final byte[] HISTOGRAM = JsonText.ascii("},\"histogram\":{\"codec\":");
  private static final byte[] HISTOGRAM_VALUE = JsonText.ascii(",\"value\":\"");
  private static final byte[] HISTOGRAM_END = JsonText.ascii("\"}}");
  private static final byte[] SUM = JsonText.ascii("\"sum\":");
  private static final byte[] MIN = JsonText.ascii(",\"min\":");
  private static final byte[] MAX = JsonText.ascii(",\"max\":");
  private static final byte[] COUNT = JsonText.ascii(",\"count\":");
  private static final byte[] END = JsonText.ascii("}}");

  private final boolean isTyped;

  private long asOf;

  /** The text of the fields interval and asOf, equal in many messages. */
  private byte[] middle = {};

  private String middleInterval = "";

  /** The names of the fields of {@link #names}, equal in many messages. */
  private byte[][] furtherFields = {};

  private List<String> names = Collections.emptyList();

  /**
   * @param typed whether a rollup has a type and a version
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  RollupText(boolean typed, long asOf) {
    this.isTyped = typed;
    this.asOf = asOf;
  }

  /** Sets when the raw data of the next rollups were read, milliseconds since the epoch. */
  void asOf(long millis) {
    if (millis != asOf) {
      asOf = millis;
      middle = new byte[0];
    }
  }

  private static byte[] typed(int version) {
    return JsonText.ascii("{\"type\":\"" + MessageTypes.ROLLUP + "\",\"v\":" + version + ",");
  }

  /** Begins an object, which continues with the names of the series. */
  void begin(JsonText text, RollupValues values) {
    boolean further = !values.names().isEmpty() || values.codec() != null;
    text.raw(!isTyped ? UNTYPED : further ? TYPED_FURTHER : TYPED);
  }

  /** Writes a rollup of a series whose names are encoded. */
  void write(JsonText text, byte[] series, long timestamp, String interval, RollupValues values) {
    begin(text, values);
    text.raw(series);
    end(text, timestamp, interval, values);
  }

  /** Begins an object of version 3, which continues with the names of the series. */
  void beginArrays(JsonText text) {
    text.raw(TYPED_ARRAYS);
  }

  /** Writes the fields timestamp, interval and asOf. */
  void time(JsonText text, long timestamp, String interval) {
    text.raw(TIMESTAMP);
    text.number(timestamp);
    text.raw(middle(interval));
  }

  /** Writes the other fields and ends the object. */
  void end(JsonText text, long timestamp, String interval, RollupValues values) {
    time(text, timestamp, interval);
    text.raw(VALUES);
    if (values.hasValues()) {
      text.raw(SUM);
      text.number(values.sum());
      text.raw(MIN);
      text.number(values.min());
      text.raw(MAX);
      text.number(values.max());
      text.raw(COUNT);
      text.number(values.count());
      if (!values.names().isEmpty()) {
        further(text, values);
      }
    }
    String codec = values.codec();
    if (codec == null) {
      text.raw(END);
      return;
    }
    text.raw(HISTOGRAM);
    text.string(codec);
    text.raw(HISTOGRAM_VALUE);
    text.raw(Base64.getEncoder().encode(values.histogram()));
    text.raw(HISTOGRAM_END);
  }

  private void further(JsonText text, RollupValues values) {
    if (!names.equals(values.names())) {
      names = values.names();
      furtherFields = new byte[names.size()][];
      for (int i = 0; i < furtherFields.length; i++) {
        furtherFields[i] = JsonText.ascii(",\"" + names.get(i) + "\":");
      }
    }
    for (int i = 0; i < furtherFields.length; i++) {
      text.raw(furtherFields[i]);
      text.number(values.further(i));
    }
  }

  private byte[] middle(String interval) {
    if (middle.length == 0 || !interval.equals(middleInterval)) {
      JsonText text = new JsonText();
      text.raw(INTERVAL);
      text.string(interval);
      text.raw(AS_OF);
      text.number(asOf);
      middle = text.copy(0, text.length());
      middleInterval = interval;
    }
    return middle;
  }
}
