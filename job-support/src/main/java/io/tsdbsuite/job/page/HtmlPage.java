package io.tsdbsuite.job.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A page in one file: its styles are in it, and its policy forbids the browser to load anything or,
 * unless the page has a script of its own, to run scripts. A page without a script is XML, too. Not
 * thread-safe.
 */
public final class HtmlPage {
  private final String title;
  private final Element main = Element.of("main").with("id", "page");
  private String scripts = "";

  /** An empty page. */
  public HtmlPage(String title) {
    this.title = title;
  }

  /** Adds elements at its end. */
  public HtmlPage add(Element... elements) {
    main.add(elements);
    return this;
  }

  /** Adds elements at its end. */
  public HtmlPage add(List<Element> elements) {
    main.add(elements);
    return this;
  }

  /**
   * Adds a script, which runs when the page is read.
   *
   * @param json data for the script, the text of the element {@code data}
   * @param code must not contain {@code </}
   */
  public HtmlPage script(String json, String code) {
    scripts =
        "<script type=\"application/json\" id=\"data\">%s</script>\n<script>\n%s</script>\n"
            .formatted(escapedJson(json), code);
    return this;
  }

  /** The page. */
  public String html() {
    String policy =
        "default-src 'none'; style-src 'unsafe-inline'"
            + (scripts.isEmpty() ? "" : "; script-src 'unsafe-inline'");
    StringBuilder out = new StringBuilder("<!DOCTYPE html>\n");
    out.append("<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n");
    List<Element> head =
        List.of(
            Element.of("meta").with("charset", "utf-8"),
            Element.of("meta")
                .with("name", "viewport")
                .with("content", "width=device-width, initial-scale=1"),
            Element.of("meta")
                .with("http-equiv", "Content-Security-Policy")
                .with("content", policy),
            Element.of("title", title));
    for (Element element : head) {
      element.write(out);
      out.append('\n');
    }
    // A style sheet is not escaped; it has no < and no &.
    out.append("<style>\n").append(styles()).append("</style>\n</head>\n<body>\n");
    main.write(out);
    return out.append('\n').append(scripts).append("</body>\n</html>\n").toString();
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

  private static String styles() {
    try (InputStream in = HtmlPage.class.getResourceAsStream("page.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
