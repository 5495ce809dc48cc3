package io.tsdbsuite.testkit;

import java.util.Map;

/**
 * One point as /api/put takes it.
 *
 * @param metric the metric
 * @param timestamp seconds or milliseconds since the epoch, as the TSD tells them apart
 * @param value a Long, a Double (shortest text that reads back the same), or a String that is sent
 *     as it is
 * @param tags the tags
 */
public record DataPoint(String metric, long timestamp, Object value, Map<String, String> tags) {
  /**
   * Checks the value's type.
   *
   * @throws IllegalArgumentException when it is none of the three
   */
  public DataPoint {
    if (!(value instanceof Long || value instanceof Double || value instanceof String)) {
      throw new IllegalArgumentException(
          "value must be Long, Double or String, it is " + value.getClass().getName());
    }
    tags = Map.copyOf(tags);
  }
}
