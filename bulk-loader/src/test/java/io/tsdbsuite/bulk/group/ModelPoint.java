package io.tsdbsuite.bulk.group;

import io.tsdbsuite.format.row.PointBuffer;
import java.math.BigDecimal;

/** A point as its input has it: {@code value} is a Long or a Double. */
record ModelPoint(long timestamp, Number value) {
  boolean inMillis() {
    return timestamp > 0xffffffffL;
  }

  long millis() {
    return inMillis() ? timestamp : timestamp * 1000;
  }

  long baseTime() {
    long seconds = millis() / 1000;
    return seconds - seconds % 3600;
  }

  int offset() {
    return (int) (millis() - baseTime() * 1000);
  }

  boolean sameValue(ModelPoint other) {
    return value.equals(other.value);
  }

  boolean isLarger(ModelPoint than) {
    if (value instanceof Double a && than.value instanceof Double b) {
      return Double.compare(a, b) > 0;
    }
    int order = exact().compareTo(than.exact());
    return order > 0 || (order == 0 && than.value.equals(-0.0));
  }

  private BigDecimal exact() {
    return value instanceof Long integer
        ? BigDecimal.valueOf(integer)
        : new BigDecimal(value.doubleValue());
  }

  void addTo(PointBuffer buffer) {
    if (value instanceof Long integer) {
      buffer.addInteger(offset(), inMillis(), integer);
      return;
    }
    double number = value.doubleValue();
    if (Double.compare((float) number, number) == 0) {
      buffer.addFloat(offset(), inMillis(), (float) number);
    } else {
      buffer.addDouble(offset(), inMillis(), number);
    }
  }
}
