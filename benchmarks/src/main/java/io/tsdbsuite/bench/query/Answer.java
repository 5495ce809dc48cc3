package io.tsdbsuite.bench.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Values of an answer, by series and time.
 *
 * @param values all values of a time, more than one where a query was split
 */
record Answer(Map<String, List<Double>> values) {
  /** Sums of sums may differ from sums of points in the last bits. */
  static final double TOLERANCE = 1e-12;

  /** The bound of a sketch, 1 % of the larger of two neighbours. */
  static final double SKETCH = 0.0101;

  /** Parses an answer with {@code arrays}. */
  static Answer parse(byte[] json) throws IOException {
    Map<String, List<Double>> values = new TreeMap<>();
    for (JsonNode series : new ObjectMapper().readTree(json)) {
      for (JsonNode point : series.path("dps")) {
        values
            .computeIfAbsent(
                series.path("tags") + " " + point.path(0).asText(), key -> new ArrayList<>())
            .add(Double.valueOf(point.path(1).asText()));
      }
    }
    return new Answer(values);
  }

  /**
   * How it differs from the right one, by the last value of each time; empty if it is equal.
   *
   * @param tolerance of a value, as a share of the right one
   */
  String differenceFrom(Answer right, double tolerance) {
    Map<String, Integer> found = new LinkedHashMap<>();
    right.values.forEach(
        (time, expected) -> {
          List<Double> here = values.getOrDefault(time, List.of());
          if (here.isEmpty()) {
            found.merge("missing", 1, Integer::sum);
          } else if (differ(last(here), last(expected), tolerance)) {
            found.merge("wrong", 1, Integer::sum);
          } else if (here.size() > 1) {
            found.merge("twice", 1, Integer::sum);
          }
        });
    long more = values.keySet().stream().filter(time -> !right.values.containsKey(time)).count();
    if (more > 0) {
      found.put("too many", (int) more);
    }
    return found.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }

  private static double last(List<Double> values) {
    return values.get(values.size() - 1);
  }

  private static boolean differ(double a, double b, double tolerance) {
    return Double.compare(a, b) != 0 && !(Math.abs(a - b) <= tolerance * Math.abs(b));
  }
}
