package io.tsdbsuite.job.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * An element of HTML or SVG with its attributes, texts and elements. It is written so that parsers
 * of HTML and of XML read the same. Names of elements and attributes are constants of the program;
 * texts and values can be anything. Not thread-safe.
 */
public final class Element {
  /** Elements that HTML writes without an end tag. */
  private static final Set<String> VOID = Set.of("meta", "br");

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

  /** Adds elements. */
  public Element add(Element... elements) {
    content.addAll(List.of(elements));
    return this;
  }

  /** Adds elements. */
  public Element add(List<Element> elements) {
    content.addAll(elements);
    return this;
  }

  void write(StringBuilder out) {
    out.append('<').append(name);
    attributes.forEach(
        (attribute, value) ->
            out.append(' ').append(attribute).append("=\"").append(escaped(value)).append('"'));
    if (VOID.contains(name)) {
      out.append("/>");
      return;
    }
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
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        default -> {
          boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
          if (pair) {
            out.append(c).append(text.charAt(++i));
          } else if (isShown(c)) {
            out.append(c);
          } else {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          }
        }
      }
    }
    return out.toString();
  }

  private static boolean isShown(char c) {
    if (c == '\n' || c == '\t') {
      return true;
    }
    return !Character.isISOControl(c)
        && !Character.isSurrogate(c)
        && Character.getType(c) != Character.FORMAT
        && c < '\ufffe';
  }
}
