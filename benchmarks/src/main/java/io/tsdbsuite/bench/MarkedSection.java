package io.tsdbsuite.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The part of a document between two marks, which a benchmark writes. */
public final class MarkedSection {
  private final Path document;
  private final String begin;
  private final String end;

  /**
   * Finds the marks, so that a missing mark ends the benchmark before the measurement.
   *
   * @param command the command in the marks
   * @throws IllegalArgumentException when the document has no such marks
   */
  public MarkedSection(Path document, String command) throws IOException {
    this.document = document;
    this.begin = "<!-- " + command + ": begin -->";
    this.end = "<!-- " + command + ": end -->";
    replace(Files.readString(document), "");
  }

  /** Replaces the text between the marks. */
  public void write(String text) throws IOException {
    Files.writeString(document, replace(Files.readString(document), text));
  }

  private String replace(String whole, String text) {
    int from = whole.indexOf(begin);
    int to = whole.indexOf(end);
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          document + " must have the marks " + begin + " and " + end);
    }
    return whole.substring(0, from + begin.length()) + "\n" + text + whole.substring(to);
  }
}
