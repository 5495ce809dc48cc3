package io.tsdbsuite.quickstart.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.BenchmarkResults;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * An HTML page with the results: a template with styles and scripts, and the data as embedded JSON.
 * It loads nothing from the network.
 */
public final class ReportPage {
  private static final String TEMPLATE = "/report.html";
  private static final String PLACE_OF_DATA = "@DATA@";

  private final ObjectNode data;

  /**
   * @param results the results
   * @param rate the written points
   * @param day first second of the day whose points are plotted
   * @param made creation time of the page
   */
  public ReportPage(BenchmarkResults results, RequestRate rate, long day, Instant made) {
    this(ReportData.of(results, rate, day, made));
  }

  ReportPage(ObjectNode data) {
    this.data = data;
  }

  /**
   * Writes the page.
   *
   * @param file target, replaced if it exists
   * @throws IOException when it cannot be written
   */
  public void write(Path file) throws IOException {
    Files.writeString(file, html());
  }

  /** The page as HTML. */
  String html() {
    return template().replace(PLACE_OF_DATA, escaped(data));
  }

  /**
   * Serializes JSON for a script element. Characters that HTML could read as the end of the element
   * or as a comment are escaped; in JSON they occur only in strings, which allow escapes.
   */
  static String escaped(ObjectNode data) {
    try {
      return new ObjectMapper()
          .writeValueAsString(data)
          .replace("<", "\\u003c")
          .replace(">", "\\u003e")
          .replace("&", "\\u0026")
          .replace("\u2028", "\\u2028")
          .replace("\u2029", "\\u2029");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  private static String template() {
    try (InputStream in = ReportPage.class.getResourceAsStream(TEMPLATE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
