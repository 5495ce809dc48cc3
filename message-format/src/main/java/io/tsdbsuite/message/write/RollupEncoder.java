package io.tsdbsuite.message.write;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import java.io.IOException;

/**
 * One message with all values, or without values for a rollup that is deleted. A JSON line has
 * neither type nor version.
 */
final class RollupEncoder extends MessageEncoder {
  private static final SerializableString TYPE = new SerializedString(FieldNames.TYPE);
  private static final SerializableString ROLLUP = new SerializedString(MessageTypes.ROLLUP);
  private static final SerializableString V = new SerializedString(FieldNames.VERSION);
  private static final SerializableString AS_OF = new SerializedString(FieldNames.AS_OF);
  private static final SerializableString VALUES = new SerializedString(FieldNames.VALUES);
  private static final SerializableString SUM = new SerializedString("sum");
  private static final SerializableString MIN = new SerializedString("min");
  private static final SerializableString MAX = new SerializedString("max");
  private static final SerializableString COUNT = new SerializedString("count");

  private final boolean typed;

  private long asOfMillis;

  /** Equal in many messages, so its digits are computed only when it changes. */
  private SerializableString asOf;

  /**
   * @param asOf when the raw data were read, milliseconds since the epoch
   */
  RollupEncoder(boolean typed, long asOf) {
    this.typed = typed;
    this.asOfMillis = asOf;
    this.asOf = digits(asOf);
  }

  private static SerializableString digits(long number) {
    return new SerializedString(Long.toString(number));
  }

  @Override
  public void asOf(long millis) {
    if (millis != asOfMillis) {
      asOfMillis = millis;
      asOf = digits(millis);
    }
  }

  @Override
  public int messages() {
    return 1;
  }

  @Override
  boolean canDelete() {
    return true;
  }

  @Override
  void write(JsonGenerator json, RollupPoint point, int message) throws IOException {
    if (typed) {
      json.writeFieldName(TYPE);
      json.writeString(ROLLUP);
      json.writeFieldName(V);
      json.writeNumber(MessageTypes.ROLLUP_VERSION);
    }
    writeSeries(point);
    writeTime(json, point);
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
