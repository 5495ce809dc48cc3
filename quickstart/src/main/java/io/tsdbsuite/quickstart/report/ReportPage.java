package io.tsdbsuite.quickstart.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.quickstart.data.RequestRate;
import io.tsdbsuite.quickstart.query.Findings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * One page that shows {@link Findings}: a template with its styles and scripts, and the data as
 * JSON in it. It asks nothing of the network.
 */
public final class ReportPage {
  private static final String TEMPLATE = "/report.html";
  private static final String PLACE_OF_DATA = "@DATA@";

  private final ObjectNode data;

  /**
   * @param findings to show
   * @param rate the points that were written
   * @param day a day of one series is shown, its first second
   * @param made when the page is made
   */
  public ReportPage(Findings findings, RequestRate rate, long day, Instant made) {
    this(ReportData.of(findings, rate, day, made));
  }

  ReportPage(ObjectNode data) {
    this.data = data;
  }

  /**
   * Writes the page.
   *
   * @param file is replaced
   * @throws IOException when it cannot be written
   */
  public void write(Path file) throws IOException {
    Files.writeString(file, html());
  }

  /** The page. */
  String html() {
    return template().replace(PLACE_OF_DATA, escaped(data));
  }

  /**
   * JSON that may stand inside a script element: what HTML could take for the end of the element or
   * for a comment is written as an escape, which JSON allows in its strings and has nowhere else.
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
