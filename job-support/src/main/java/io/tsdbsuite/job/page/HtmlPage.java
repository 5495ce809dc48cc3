package io.tsdbsuite.job.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A page in one file: its styles are in it, and its policy forbids the browser to load anything or,
 * unless the page has plots of lines, to run scripts. A page without a script is XML, too. Not
 * thread-safe.
 */
public final class HtmlPage {
  private final String title;
  private final Element main = Element.of("main").with("id", "page");
  private final ArrayNode plots = JsonNodeFactory.instance.arrayNode();

  /** An empty page. */
  public HtmlPage(String title) {
    this.title = title;
  }

  /** Adds elements at its end. */
  public HtmlPage add(Element... elements) {
    main.add(elements);
    return this;
  }

  /** Adds its heading. */
  public HtmlPage heading(String text) {
    return add(Element.of("h1", text));
  }

  /** Begins a section. */
  public HtmlPage section(String title) {
    return add(Element.of("h2", title));
  }

  /** Adds a paragraph. */
  public HtmlPage text(String text) {
    return add(Element.of("p", text));
  }

  /** Adds a paragraph in smaller type. */
  public HtmlPage note(String text) {
    return add(Element.of("p", text).with("class", "soft"));
  }

  /** Adds a box around elements. */
  public HtmlPage card(Element... elements) {
    return add(Element.of("div").with("class", "card").add(elements));
  }

  /** Adds a row of figures, from {@link Blocks}. */
  public HtmlPage tiles(List<Element> tiles) {
    return add(Element.of("div").with("class", "tiles").add(tiles));
  }

  /**
   * A plot of values over time, which a script draws and lets the pointer read.
   *
   * @param width in units of the drawing, 960 for the whole page
   * @return to be added to this page
   */
  public Element lines(String title, int width, Line... lines) {
    String id = "plot-" + plots.size();
    ObjectNode plot = plots.addObject().put("id", id).put("title", title).put("width", width);
    ArrayNode series = plot.putArray("series");
    for (Line line : lines) {
      series.add(line.json);
    }
    return Element.of("div")
        .with("id", id)
        .add(Element.of("noscript", "This plot needs JavaScript."));
  }

  /** The page. */
  public String html() {
    String policy = "default-src 'none'; style-src 'unsafe-inline'";
    String scripts = "";
    if (!plots.isEmpty()) {
      policy += "; script-src 'unsafe-inline'";
      scripts =
          "<script type=\"application/json\" id=\"data\">%s</script>\n<script>\n%s</script>\n"
              .formatted(escapedJson(plots.toString()), resource("lines.js"));
    }
    // Neither style sheet nor script is escaped: one has no < and no &, the other no </.
    return """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta http-equiv="Content-Security-Policy" content="%s"/>
    <title>%s</title>
    <style>
    %s</style>
    </head>
    <body>
    %s
    %s</body>
    </html>
    """
        .formatted(policy, Element.escaped(title), resource("page.css"), main, scripts);
  }

  /**
   * JSON for a script element. Characters that HTML could read as the end of the element or as a
   * comment are escaped; in JSON they occur only in strings, which allow escapes.
   */
  private static String escapedJson(String json) {
    return json.replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private static String resource(String name) {
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
