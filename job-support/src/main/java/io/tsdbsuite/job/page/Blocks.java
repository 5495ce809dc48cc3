package io.tsdbsuite.job.page;

import java.util.ArrayList;
import java.util.List;

/** Parts of pages: figures in large type, cards, tables, legends. */
public final class Blocks {
  private Blocks() {}

  /** Whether a figure is good news. */
  public enum Verdict {
    /** As it should be. */
    GOOD("good"),
    /** Not as it should be. */
    BAD("bad"),
    /** Neither. */
    NONE("");

    private final String key;

    Verdict(String key) {
      this.key = key;
    }

    /** Good if this holds, else bad. */
    public static Verdict of(boolean good) {
      return good ? GOOD : BAD;
    }
  }

  /** A row of figures. */
  public static Element tiles(List<Element> tiles) {
    return Element.of("div").with("class", "tiles").add(tiles);
  }

  /** A figure with a text below it. */
  public static Element tile(String figure, String text, Verdict verdict) {
    return Element.of("div")
        .with("class", "card tile")
        .add(
            Element.of("b", figure).with("class", verdict.key),
            Element.of("span", text).with("class", "soft"));
  }

  /** A box around elements. */
  public static Element card(Element... elements) {
    return Element.of("div").with("class", "card").add(elements);
  }

  /** A paragraph in smaller type. */
  public static Element note(String text) {
    return Element.of("p", text).with("class", "soft");
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
    List<Element> body = new ArrayList<>();
    for (Row row : rows) {
      Element tr = Element.of("tr").with("class", row.first() ? "first" : "");
      row.cells().forEach(cell -> tr.add(Element.of("td", cell).with("class", kind)));
      body.add(tr);
    }
    Element titles = Element.of("tr");
    head.forEach(title -> titles.add(Element.of("th", title).with("class", kind)));
    Element table = Element.of("table");
    if (!head.isEmpty()) {
      table.add(Element.of("thead").add(titles));
    }
    return Element.of("div").with("class", "scroll").add(table.add(Element.of("tbody").add(body)));
  }
}
