package io.tsdbsuite.quickstart.query;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A TSD's answer to a query.
 *
 * @param series points by tags, in the order of the answer, including repeated times
 */
public record Answer(SortedMap<String, List<Point>> series) {
  /**
   * A point of an answer.
   *
   * @param time milliseconds since the epoch
   */
  public record Point(long time, double value) {}

  /** Parses the TSD's JSON with points as arrays. */
  static Answer of(JsonNode json) {
    SortedMap<String, List<Point>> series = new TreeMap<>();
    for (JsonNode node : json) {
      Map<String, String> tags = new TreeMap<>();
      node.path("tags")
          .properties()
          .forEach(tag -> tags.put(tag.getKey(), tag.getValue().asText()));
      List<Point> points = series.computeIfAbsent(tags.toString(), any -> new ArrayList<>());
      for (JsonNode point : node.path("dps")) {
        // asText keeps "NaN", which is a string in JSON.
        points.add(new Point(point.get(0).asLong(), Double.parseDouble(point.get(1).asText())));
      }
    }
    return new Answer(series);
  }

  /** The answers for adjoining ranges, in the order of time, as one. */
  static Answer join(List<Answer> parts) {
    SortedMap<String, List<Point>> series = new TreeMap<>();
    for (Answer part : parts) {
      part.series.forEach(
          (tags, points) -> series.computeIfAbsent(tags, any -> new ArrayList<>()).addAll(points));
    }
    return new Answer(series);
  }

  /** The points of the first series; empty if there is no series. */
  public List<Point> points() {
    return series.values().stream().findFirst().orElse(List.of());
  }

  /** Number of points of all series. */
  public long size() {
    return series.values().stream().mapToLong(List::size).sum();
  }
}
