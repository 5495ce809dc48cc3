package io.tsdbsuite.quickstart.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A TSD's answer.
 *
 * @param series series to its points, in the order of the answer, times that come twice included
 * @param rows rows that the TSD's scanners fetched, as it says itself; 0 if it does not
 */
public record Answer(Map<Map<String, String>, List<Point>> series, long rows) {
  /** Reads the TSD's JSON, points as arrays. */
  static Answer of(JsonNode json) {
    Map<Map<String, String>, List<Point>> series =
        new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    long rows = 0;
    for (JsonNode node : json) {
      if (node.has("statsSummary")) {
        rows = node.path("statsSummary").path("rowsPreFilter").asLong();
      } else {
        Map<String, String> tags = new TreeMap<>();
        node.path("tags")
            .fields()
            .forEachRemaining(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
        series.computeIfAbsent(tags, t -> new ArrayList<>()).addAll(points(node.path("dps")));
      }
    }
    return new Answer(series, rows);
  }

  private static List<Point> points(JsonNode dps) {
    List<Point> points = new ArrayList<>(dps.size());
    for (JsonNode point : dps) {
      // asText keeps "NaN", which JSON has as a string.
      points.add(new Point(point.get(0).asLong(), Double.parseDouble(point.get(1).asText())));
    }
    return points;
  }

  /** The points of the only series; none if there is none. */
  public List<Point> points() {
    return series.values().stream().findFirst().orElse(List.of());
  }

  /** Number of points of all series. */
  public long size() {
    return series.values().stream().mapToLong(List::size).sum();
  }
}
