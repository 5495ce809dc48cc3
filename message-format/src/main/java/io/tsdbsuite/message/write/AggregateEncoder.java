package io.tsdbsuite.message.write;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import io.tsdbsuite.message.FieldNames;
import io.tsdbsuite.message.MessageTypes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;

/** One message for each aggregator, with the fields of the TSD's RollUpDataPoint. */
final class AggregateEncoder extends MessageEncoder {
  private static final SerializableString TYPE = new SerializedString(FieldNames.TYPE);
  private static final SerializableString AGGREGATE = new SerializedString(MessageTypes.AGGREGATE);
  private static final SerializableString TIMESTAMP = new SerializedString(FieldNames.TIMESTAMP);
  private static final SerializableString INTERVAL = new SerializedString(FieldNames.INTERVAL);
  private static final SerializableString VALUE = new SerializedString(FieldNames.VALUE);
  private static final SerializableString AGGREGATOR = new SerializedString(FieldNames.AGGREGATOR);
  private static final SerializableString SUM = new SerializedString("SUM");
  private static final SerializableString MIN = new SerializedString("MIN");
  private static final SerializableString MAX = new SerializedString("MAX");
  private static final SerializableString COUNT = new SerializedString("COUNT");

  /** Messages of a point without further aggregators. */
  private static final int FOUR = 4;

  private final JsonBuffer buffer = new JsonBuffer();

  @Override
  public int messages(RollupPoint point) {
    return FOUR + point.rollup().names().size();
  }

  @Override
  public void asOf(long millis) {
    // Not part of an aggregate.
  }

  @Override
  boolean canDelete() {
    return false;
  }

  @Override
  ByteArrayOutputStream write(RollupPoint point, int message) {
    try {
      JsonGenerator json = buffer.start();
      write(json, point, message);
      return buffer.end();
    } catch (IOException e) {
      throw JsonBuffer.impossible(e);
    }
  }

  private void write(JsonGenerator json, RollupPoint point, int message) throws IOException {
    json.writeFieldName(TYPE);
    json.writeString(AGGREGATE);
    buffer.writeSeries(point);
    json.writeFieldName(TIMESTAMP);
    json.writeNumber(point.timestamp());
    json.writeFieldName(INTERVAL);
    json.writeString(point.interval());
    json.writeFieldName(AGGREGATOR);
    switch (message) {
      case 0:
        json.writeString(SUM);
        json.writeFieldName(VALUE);
        json.writeNumber(point.rollup().sum());
        break;
      case 1:
        json.writeString(MIN);
        json.writeFieldName(VALUE);
        json.writeNumber(point.rollup().min());
        break;
      case 2:
        json.writeString(MAX);
        json.writeFieldName(VALUE);
        json.writeNumber(point.rollup().max());
        break;
      case 3:
        json.writeString(COUNT);
        json.writeFieldName(VALUE);
        json.writeNumber(point.rollup().count());
        break;
      default:
        int further = message - FOUR;
        json.writeString(point.rollup().names().get(further).toUpperCase(Locale.ROOT));
        json.writeFieldName(VALUE);
        json.writeNumber(point.rollup().further(further));
    }
  }
}
