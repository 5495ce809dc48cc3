package io.tsdbsuite.rollup.message;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;

/**
 * One message with all values, or with none for a rollup that is taken back; as a JSON line it goes
 * without type and version.
 */
final class RollupEncoder extends MessageEncoder {
  /** The version of the message; a reader refuses one that it does not know. */
  static final int VERSION = 1;

  private static final SerializableString TYPE = new SerializedString("type");
  private static final SerializableString ROLLUP = new SerializedString("Rollup");
  private static final SerializableString V = new SerializedString("v");
  private static final SerializableString AS_OF = new SerializedString("asOf");
  private static final SerializableString VALUES = new SerializedString("values");
  private static final SerializableString SUM = new SerializedString("sum");
  private static final SerializableString MIN = new SerializedString("min");
  private static final SerializableString MAX = new SerializedString("max");
  private static final SerializableString COUNT = new SerializedString("count");

  private final boolean typed;

  /** The same in every message, so its digits are made once. */
  private final SerializableString asOf;

  /**
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  RollupEncoder(boolean typed, long asOf) {
    this.typed = typed;
    this.asOf = new SerializedString(Long.toString(asOf));
  }

  @Override
  public int messages() {
    return 1;
  }

  @Override
  void write(JsonGenerator json, RollupPoint point, int message) throws IOException {
    if (typed) {
      json.writeFieldName(TYPE);
      json.writeString(ROLLUP);
      json.writeFieldName(V);
      json.writeNumber(VERSION);
    }
    writeSeries(point);
    writeTime(point);
    json.writeFieldName(AS_OF);
    json.writeRawValue(asOf);
    json.writeFieldName(VALUES);
    json.writeStartObject();
    if (!point.isTakenBack()) {
      json.writeFieldName(SUM);
      json.writeNumber(point.sum());
      json.writeFieldName(MIN);
      json.writeNumber(point.min());
      json.writeFieldName(MAX);
      json.writeNumber(point.max());
      json.writeFieldName(COUNT);
      json.writeNumber(point.count());
    }
    json.writeEndObject();
  }
}
