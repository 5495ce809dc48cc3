package io.tsdbsuite.job.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An element of HTML or SVG with its attributes, texts and elements. It is written with an end tag,
 * so that parsers of HTML and of XML read the same. Names of elements and attributes are constants
 * of the program; texts and values can be anything. Not thread-safe.
 */
public final class Element {
  private final String name;
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private final List<Object> content = new ArrayList<>();

  private Element(String name) {
    this.name = name;
  }

  /** An empty element. */
  public static Element of(String name) {
    return new Element(name);
  }

  /** An element with a text. */
  public static Element of(String name, String text) {
    return new Element(name).text(text);
  }

  /** Sets an attribute. */
  public Element with(String attribute, String value) {
    attributes.put(attribute, value);
    return this;
  }

  /** Sets an attribute to a number, rounded to a tenth. */
  public Element with(String attribute, double value) {
    String rounded = String.format(Locale.ROOT, "%.1f", value);
    return with(attribute, rounded.endsWith(".0") ? rounded.replace(".0", "") : rounded);
  }

  /** Adds a text. */
  public Element text(String text) {
    content.add(text);
    return this;
  }

  /** A drawing as wide as the page: 960 units. */
  static Element drawing(String title, int height) {
    return of("svg")
        .with("role", "img")
        .with("aria-label", title)
        .with("viewBox", "0 0 960 " + height);
  }

  /** A text of a drawing, its baseline at {@code y}. */
  static Element label(double x, double y, String anchor, String text) {
    return of("text", text).with("x", x).with("y", y).with("text-anchor", anchor);
  }

  /** A filled rectangle with a text that is shown when the pointer is on it. */
  static Element bar(double x, double y, double width, double height, Colour colour, String text) {
    return of("rect")
        .with("x", x)
        .with("y", y)
        .with("width", width)
        .with("height", height)
        .with("class", colour.fill())
        .add(of("title", text));
  }

  /** Adds elements. */
  public Element add(Element... elements) {
    return add(List.of(elements));
  }

  /** Adds elements. */
  public Element add(List<Element> elements) {
    content.addAll(elements);
    return this;
  }

  /** The element as HTML. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    write(out);
    return out.toString();
  }

  private void write(StringBuilder out) {
    out.append('<').append(name);
    attributes.forEach(
        (attribute, value) ->
            out.append(' ').append(attribute).append("=\"").append(escaped(value)).append('"'));
    out.append('>');
    for (Object part : content) {
      if (part instanceof Element element) {
        element.write(out);
      } else {
        out.append(escaped((String) part));
      }
    }
    out.append("</").append(name).append('>');
  }

  /**
   * A text for HTML and XML. Characters that XML cannot hold, or that change the direction of the
   * text around them, are shown by their numbers.
   */
  static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> {
                  if (isShown(c)) {
                    out.appendCodePoint(c);
                  } else {
                    out.append(String.format(Locale.ROOT, "\\u%04x", c));
                  }
                }
              }
            });
    return out.toString();
  }

  private static boolean isShown(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL -> c == '\n' || c == '\t';
      case Character.SURROGATE, Character.FORMAT -> false;
      default -> c != 0xfffe && c != 0xffff;
    };
  }
}
