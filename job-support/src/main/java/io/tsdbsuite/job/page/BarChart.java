package io.tsdbsuite.job.page;

import java.util.ArrayList;
import java.util.List;

/** Horizontal bars below each other, each with a label and its value in text. Not thread-safe. */
public final class BarChart {
  private static final int WIDTH = 960;
  private static final int ROW = 22;
  private static final int GAP = 16;
  private static final int RIGHT = 130;
  private static final int BASELINE = 16;

  /** Width of a character of a label, about, in units of the drawing. */
  private static final double CHARACTER = 6.4;

  private final String title;
  private final int left;
  private final List<Bar> bars = new ArrayList<>();

  private record Bar(
      String group, String label, double value, String text, String more, Colour in) {}

  /**
   * An empty chart.
   *
   * @param title for readers that do not see the plot
   * @param left width of the labels, of 960
   */
  public BarChart(String title, int left) {
    this.title = title;
    this.left = left;
  }

  /**
   * Adds a bar.
   *
   * @param group title of the bars from this one on, at the left; empty for the group of the bar
   *     before
   * @param label shortened if it is too long
   * @param value at least 0
   * @param text the value as it is shown
   * @param more shown when the pointer is on the bar
   */
  public BarChart bar(
      String group, String label, double value, String text, String more, Colour colour) {
    bars.add(new Bar(group, label, value, text, more, colour));
    return this;
  }

  /** Adds a bar without a group. */
  public BarChart bar(String label, double value, String text, Colour colour) {
    return bar("", label, value, text, label + ": " + text, colour);
  }

  /** The drawing. */
  public Element svg() {
    double longest = bars.stream().mapToDouble(Bar::value).max().orElse(0);
    List<Element> drawn = new ArrayList<>();
    int top = 0;
    for (Bar bar : bars) {
      boolean grouped = !bar.group().isEmpty();
      top += grouped && top > 0 ? GAP : 0;
      if (grouped) {
        drawn.add(text(0, top, "strong", "start", bar.group()));
      }
      double length =
          bar.value() == 0 || longest == 0
              ? 0
              : Math.max(1.5, bar.value() / longest * (WIDTH - left - RIGHT));
      drawn.add(
          text(left - 10, top, "label", "end", shortened(bar.label()))
              .add(Element.of("title", bar.label())));
      drawn.add(Element.bar(left, top + 3, length, ROW - 6, bar.in(), bar.more()).with("rx", 2));
      drawn.add(text(left + length + 8, top, "value", "start", bar.text()));
      top += ROW;
    }
    return Element.drawing(title, Math.max(top, 1)).add(drawn);
  }

  private static Element text(double x, int top, String kind, String anchor, String text) {
    return Element.label(x, top + BASELINE, anchor, text).with("class", kind);
  }

  /** The beginning and the end of a label that is too long. */
  private String shortened(String label) {
    int most = (int) ((left - 10) / CHARACTER);
    if (label.length() <= most) {
      return label;
    }
    int half = (most - 1) / 2;
    return label.substring(0, half) + "\u2026" + label.substring(label.length() - half);
  }
}
