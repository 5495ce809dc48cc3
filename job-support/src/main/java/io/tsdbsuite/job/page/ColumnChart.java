package io.tsdbsuite.job.page;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** Columns side by side, in the order of time, over an axis with some labels. Not thread-safe. */
public final class ColumnChart {
  private static final int WIDTH = 960;
  private static final int HEIGHT = 250;
  private static final int LEFT = 56;
  private static final int RIGHT = 14;
  private static final int TOP = 12;
  private static final int BOTTOM = 26;
  private static final int LABELS = 9;
  private static final int TICKS = 4;
  private static final double[] STEPS = {1, 2, 5, 10};

  private final String title;
  private final List<Column> columns = new ArrayList<>();

  private record Column(String label, double value, String text) {}

  /**
   * An empty chart.
   *
   * @param title for readers that do not see the plot
   */
  public ColumnChart(String title) {
    this.title = title;
  }

  /**
   * Adds a column.
   *
   * @param label of the axis; of many columns only some are labelled
   * @param value at least 0
   * @param text the value as it is shown when the pointer is on the column
   */
  public ColumnChart column(String label, double value, String text) {
    columns.add(new Column(label, value, text));
    return this;
  }

  /** The drawing. */
  public Element svg() {
    double highest = columns.stream().mapToDouble(Column::value).max().orElse(0);
    double bottom = HEIGHT - BOTTOM;
    Element svg = Element.drawing(title, HEIGHT).with("shape-rendering", "crispEdges");
    for (double tick : ticks(highest)) {
      double y = bottom - (highest == 0 ? 0 : tick / highest * (bottom - TOP));
      svg.add(
          Element.of("line")
              .with("x1", LEFT)
              .with("x2", WIDTH - RIGHT)
              .with("y1", y)
              .with("y2", y)
              .with("class", "grid"),
          Element.label(LEFT - 8, y + 4, "end", Numbers.shortened(tick)));
    }
    double step = (double) (WIDTH - LEFT - RIGHT) / Math.max(1, columns.size());
    int every = (columns.size() + LABELS - 1) / LABELS;
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      double height =
          column.value() == 0 ? 0 : Math.max(1, column.value() / highest * (bottom - TOP));
      // Columns touch when they are narrow: gaps between them would look like missing values.
      double width = Math.max(0.5, step > 6 ? step - 2 : step);
      svg.add(
          Element.bar(
              LEFT + i * step,
              bottom - height,
              width,
              height,
              Colour.FIRST,
              column.label() + ": " + column.text()));
      if (i % every == 0) {
        double middle = LEFT + i * step + width / 2;
        svg.add(Element.label(middle, HEIGHT - 8, "middle", column.label()));
      }
    }
    return svg;
  }

  /** Round values from 0 to a maximum, about {@link #TICKS}. */
  static List<Double> ticks(double max) {
    double rough = max > 0 ? max / TICKS : 1;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step =
        power * DoubleStream.of(STEPS).filter(each -> each * power >= rough).findFirst().orElse(10);
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= max * (1 + 1e-9); i++) {
      ticks.add(i * step);
    }
    return ticks;
  }
}
