package io.tsdbsuite.rollup.message;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
import java.io.IOException;

/** One message per aggregator, in the words of the TSD's RollUpDataPoint. */
final class AggregateEncoder extends MessageEncoder {
  private static final SerializableString TYPE = new SerializedString("type");
  private static final SerializableString AGGREGATE = new SerializedString("Aggregate");
  private static final SerializableString VALUE = new SerializedString("value");
  private static final SerializableString AGGREGATOR = new SerializedString("aggregator");
  private static final SerializableString SUM = new SerializedString("SUM");
  private static final SerializableString MIN = new SerializedString("MIN");
  private static final SerializableString MAX = new SerializedString("MAX");
  private static final SerializableString COUNT = new SerializedString("COUNT");

  @Override
  public int messages() {
    return 4;
  }

  @Override
  void write(JsonGenerator json, RollupPoint point, int message) throws IOException {
    if (point.isTakenBack()) {
      throw new IllegalArgumentException("an aggregate cannot take back a rollup: " + point);
    }
    json.writeFieldName(TYPE);
    json.writeString(AGGREGATE);
    writeSeries(point);
    writeTime(point);
    json.writeFieldName(AGGREGATOR);
    switch (message) {
      case 0 -> {
        json.writeString(SUM);
        json.writeFieldName(VALUE);
        json.writeNumber(point.sum());
      }
      case 1 -> {
        json.writeString(MIN);
        json.writeFieldName(VALUE);
        json.writeNumber(point.min());
      }
      case 2 -> {
        json.writeString(MAX);
        json.writeFieldName(VALUE);
        json.writeNumber(point.max());
      }
      case 3 -> {
        json.writeString(COUNT);
        json.writeFieldName(VALUE);
        json.writeNumber(point.count());
      }
      default -> throw new IllegalArgumentException("message must be 0 to 3, found " + message);
    }
  }
}
