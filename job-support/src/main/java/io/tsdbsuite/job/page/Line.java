package io.tsdbsuite.job.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Values over time, for {@link HtmlPage#lines}. Not thread-safe.
 *
 * <pre>
 *   {"name":..,"colour":"first","width":1.4,"points":[[seconds since the epoch, value], ...]}
 * </pre>
 */
public final class Line {
  final ObjectNode json = JsonNodeFactory.instance.objectNode();
  private final ArrayNode points;

  /** A line of this width, in units of the drawing, without points. */
  public Line(String name, Colour colour, double width) {
    json.put("name", name).put("colour", colour.key()).put("width", width);
    points = json.putArray("points");
  }

  /** Adds a point at a time in seconds since the epoch. */
  public Line point(long seconds, double value) {
    points.addArray().add(seconds).add(value);
    return this;
  }
}
