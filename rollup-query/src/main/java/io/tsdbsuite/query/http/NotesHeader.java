package io.tsdbsuite.query.http;

import java.util.List;

/** The value of the header X-Rollup-Query: the notes of all sub-queries in one line. */
final class NotesHeader {
  static final String NAME = "X-Rollup-Query";

  // Proxies refuse headers that are longer than 4 or 8 KB in sum.
  private static final int MAX_LENGTH = 2000;

  private NotesHeader() {}

  /** The lines, as far as they fit; characters that a header cannot have are replaced by '?'. */
  static String of(List<String> lines) {
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceAll("[^\\x20-\\x7e]", "?");
      if (value.length() + line.length() > MAX_LENGTH) {
        return value
            .append(i == 0 ? "" : " | ")
            .append(lines.size() - i)
            .append(" more")
            .toString();
      }
      value.append(i == 0 ? "" : " | ").append(line);
    }
    return value.toString();
  }
}
