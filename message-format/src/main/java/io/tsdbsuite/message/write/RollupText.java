package io.tsdbsuite.message.write;

import io.tsdbsuite.message.MessageTypes;

/** Writes the fields of a rollup, except for those of its series. Not thread-safe. */
final class RollupText {
  private static final byte[] TYPED =
      JsonText.ascii(
          "{\"type\":\"" + MessageTypes.ROLLUP + "\",\"v\":" + MessageTypes.ROLLUP_VERSION + ",");
  private static final byte[] UNTYPED = JsonText.ascii("{");
  private static final byte[] TIMESTAMP = JsonText.ascii(",\"timestamp\":");
  private static final byte[] INTERVAL = JsonText.ascii(",\"interval\":");
  private static final byte[] AS_OF = JsonText.ascii(",\"asOf\":");
  private static final byte[] VALUES = JsonText.ascii(",\"values\":{");
  private static final byte[] SUM = JsonText.ascii("\"sum\":");
  private static final byte[] MIN = JsonText.ascii(",\"min\":");
  private static final byte[] MAX = JsonText.ascii(",\"max\":");
  private static final byte[] COUNT = JsonText.ascii(",\"count\":");
  private static final byte[] END = JsonText.ascii("}}");

  private final byte[] head;

  private long asOf;

  /** The text of the fields interval and asOf, equal in many messages. */
  private byte[] middle = {};

  private String middleInterval = "";

  /**
   * @param typed whether a rollup has a type and a version
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  RollupText(boolean typed, long asOf) {
    this.head = typed ? TYPED : UNTYPED;
    this.asOf = asOf;
  }

  /** Sets when the raw data of the next rollups were read, milliseconds since the epoch. */
  void asOf(long millis) {
    if (millis != asOf) {
      asOf = millis;
      middle = new byte[0];
    }
  }

  /** Begins an object, which continues with the names of the series. */
  void begin(JsonText text) {
    text.raw(head);
  }

  /** Writes the other fields and ends the object. A count of 0 means that a rollup is deleted. */
  void end(
      JsonText text,
      long timestamp,
      String interval,
      double sum,
      double min,
      double max,
      long count) {
    text.raw(TIMESTAMP);
    text.number(timestamp);
    text.raw(middle(interval));
    if (count != 0) {
      text.raw(SUM);
      text.number(sum);
      text.raw(MIN);
      text.number(min);
      text.raw(MAX);
      text.number(max);
      text.raw(COUNT);
      text.number(count);
    }
    text.raw(END);
  }

  private byte[] middle(String interval) {
    if (middle.length == 0 || !interval.equals(middleInterval)) {
      JsonText text = new JsonText();
      text.raw(INTERVAL);
      text.string(interval);
      text.raw(AS_OF);
      text.number(asOf);
      text.raw(VALUES);
      middle = text.copy(0, text.length());
      middleInterval = interval;
    }
    return middle;
  }
}
