package io.tsdbsuite.testkit;

import java.util.Map;

/**
 * One point for /api/put.
 *
 * @param metric the metric
 * @param timestamp seconds or milliseconds since the epoch; the TSD distinguishes them by size
 * @param value a Long, a Double (shortest text that reads back the same), or a String that is sent
 *     unchanged
 * @param tags the tags
 */
public record DataPoint(String metric, long timestamp, Object value, Map<String, String> tags) {
  /**
   * Checks the value's type.
   *
   * @throws IllegalArgumentException when it has another type
   */
  public DataPoint {
    if (!(value instanceof Long || value instanceof Double || value instanceof String)) {
      throw new IllegalArgumentException(
          "value must be Long, Double or String, it is " + value.getClass().getName());
    }
    tags = Map.copyOf(tags);
  }
}
