package io.tsdbsuite.quickstart.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.page.Element;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Plots of values over time, which a script draws and lets the pointer read. Not thread-safe.
 *
 * <pre>
 *   [{"id":"plot-0","title":..,"width":960,"marks":[{"at":..,"text":..}],
 *     "series":[{"name":..,"colour":"first","width":1.4,"dots":false,"hollow":false,
 *                "points":[[seconds since the epoch, value], ...]}]}]
 * </pre>
 */
final class LinePlots {
  /** Width of a plot over the whole page, in units of the drawing. */
  static final int WIDE = 960;

  /** Width of one of two plots beside each other. */
  static final int HALF = 520;

  private final ArrayNode plots = JsonNodeFactory.instance.arrayNode();

  /** A point: seconds since the epoch, and the value. */
  record At(long seconds, double value) {}

  /**
   * Values of one kind.
   *
   * @param colour name of a colour of the page's styles
   * @param width of the line, or radius of the dots
   * @param dots whether points are dots and not joined
   * @param hollow whether dots are circles
   */
  record Series(
      String name, String colour, double width, boolean dots, boolean hollow, List<At> points) {
    static Series line(String name, String colour, double width, List<At> points) {
      return new Series(name, colour, width, false, false, points);
    }
  }

  /** A text at a time, seconds since the epoch. */
  record Mark(long at, String text) {}

  /** Adds a plot; returns the element that the script draws it into. */
  Element add(String title, int width, List<Series> series, List<Mark> marks) {
    ObjectNode plot = plots.addObject();
    String id = "plot-" + (plots.size() - 1);
    plot.put("id", id);
    plot.put("title", title);
    plot.put("width", width);
    ArrayNode lines = plot.putArray("series");
    for (Series each : series) {
      ObjectNode line = lines.addObject();
      line.put("name", each.name());
      line.put("colour", each.colour());
      line.put("width", each.width());
      line.put("dots", each.dots());
      line.put("hollow", each.hollow());
      ArrayNode points = line.putArray("points");
      each.points().forEach(at -> points.addArray().add(at.seconds()).add(at.value()));
    }
    ArrayNode texts = plot.putArray("marks");
    marks.forEach(mark -> texts.addObject().put("at", mark.at()).put("text", mark.text()));
    return Element.of("div")
        .with("id", id)
        .add(Element.of("noscript", "This plot needs JavaScript."));
  }

  /** All plots for the script. */
  String json() {
    return plots.toString();
  }

  /** The script. */
  static String script() {
    try (InputStream in = LinePlots.class.getResourceAsStream("lines.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
