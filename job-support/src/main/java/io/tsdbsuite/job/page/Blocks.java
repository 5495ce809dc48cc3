package io.tsdbsuite.job.page;

import java.util.List;

/** Parts of pages: figures in large type, tables, legends. */
public final class Blocks {
  private Blocks() {}

  /** A figure with a text below it. */
  public static Element tile(String figure, String text) {
    return tile(figure, text, "");
  }

  /** A figure that is good news or bad. */
  public static Element tile(String figure, String text, boolean good) {
    return tile(figure, text, good ? "good" : "bad");
  }

  private static Element tile(String figure, String text, String verdict) {
    return Element.of("div")
        .with("class", "card tile")
        .add(
            Element.of("b", figure).with("class", verdict),
            Element.of("span", text).with("class", "soft"));
  }

  /**
   * A name and a colour.
   *
   * @param name what has the colour
   */
  public record Mark(String name, Colour colour) {}

  /** What the colours of a plot mean. */
  public static Element legend(List<Mark> marks) {
    Element legend = Element.of("div").with("class", "legend");
    for (Mark mark : marks) {
      legend.add(
          Element.of("span")
              .add(Element.of("i").with("class", mark.colour().fill()))
              .text(mark.name()));
    }
    return legend;
  }

  /**
   * A row of a table.
   *
   * @param first whether it begins a group of rows
   */
  public record Row(boolean first, List<String> cells) {
    /** A row inside a group. */
    public static Row of(String... cells) {
      return new Row(false, List.of(cells));
    }
  }

  /** A table of numbers, with texts in its first column. */
  public static Element table(List<String> head, List<Row> rows) {
    return table(head, rows, "");
  }

  /** A table of texts, which are wrapped. */
  public static Element texts(List<String> head, List<Row> rows) {
    return table(head, rows, "l wrap");
  }

  private static Element table(List<String> head, List<Row> rows, String kind) {
    Element table = Element.of("table");
    if (!head.isEmpty()) {
      table.add(Element.of("thead").add(cells("th", head, kind)));
    }
    Element body = Element.of("tbody");
    for (Row row : rows) {
      body.add(cells("td", row.cells(), kind).with("class", row.first() ? "first" : ""));
    }
    return Element.of("div").with("class", "scroll").add(table.add(body));
  }

  private static Element cells(String name, List<String> texts, String kind) {
    Element row = Element.of("tr");
    texts.forEach(text -> row.add(Element.of(name, text).with("class", kind)));
    return row;
  }
}
