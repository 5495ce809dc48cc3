package io.tsdbsuite.ingest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Markdown page of docs/, for tests that hold it against the code. */
public final class Document {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final String name;
  private final List<String> lines;

  private Document(String name, List<String> lines) {
    this.name = name;
    this.lines = lines;
  }

  /** Reads a page; the name is relative to docs/. */
  public static Document read(String name) {
    try {
      return new Document(
          name, Files.readAllLines(Path.of("..", "docs", name), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The part below a heading, up to the next heading of any level. */
  public Document section(String heading) {
    List<String> part = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      if (line.startsWith("#")) {
        inside = line.replaceFirst("^#+ ", "").equals(heading);
      } else if (inside) {
        part.add(line);
      }
    }
    if (part.isEmpty()) {
      throw new AssertionError(name + " has no section " + heading);
    }
    return new Document(name + "#" + heading, part);
  }

  /** Headings of the page that start with a prefix. */
  public List<String> headings(String prefix) {
    List<String> headings = new ArrayList<>();
    for (String line : lines) {
      String heading = line.replaceFirst("^#+ ", "");
      if (line.startsWith("#") && heading.startsWith(prefix)) {
        headings.add(heading);
      }
    }
    return headings;
  }

  /** The code spans in the first column of the table whose header starts with a text. */
  public Set<String> firstColumn(String header) {
    Set<String> names = new LinkedHashSet<>();
    boolean inside = false;
    for (String line : lines) {
      if (!line.startsWith("|")) {
        inside = false;
      } else if (line.startsWith("| " + header)) {
        inside = true;
      } else if (inside) {
        names.addAll(codeSpans(line.split("\\|", -1)[1]));
      }
    }
    if (names.isEmpty()) {
      throw new AssertionError(name + " has no table " + header);
    }
    return names;
  }

  /** All code spans. */
  public Set<String> codeSpans() {
    return codeSpans(String.join("\n", lines));
  }

  private static Set<String> codeSpans(String text) {
    Set<String> spans = new LinkedHashSet<>();
    Matcher matcher = CODE.matcher(text);
    while (matcher.find()) {
      spans.add(matcher.group(1));
    }
    return spans;
  }
}
