package io.tsdbsuite.rollup.resume;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.rollup.report.ReportJson;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Detects a completed run over the same window with a later snapshot than the run to resume.
 * Resuming the older run would overwrite newer values with older ones.
 */
public final class LaterRun {
  /** Options that are equal if two runs write the same cells. */
  private static final List<String> SAME =
      List.of(
          "--from", "--to", "--interval", "--metrics", "--sink", "--topic", "--kafka-bootstrap");

  private static final String SNAPSHOT = "--data-snapshot";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LaterRun() {}

  /**
   * Returns the snapshot time of a later run.
   *
   * @param earlier the run to resume
   * @param report report of another run, or any other content; closed by the caller
   * @return null if it is not the report of a completed later run over the same window
   * @throws IOException when the stream fails
   */
  public static @Nullable Instant taken(EarlierRun earlier, InputStream report) throws IOException {
    try (JsonParser parser = MAPPER.getFactory().createParser(report)) {
      parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      ObjectNode root = done(parser);
      if (root == null || !isSame(earlier.identity().options(), root.at("/resume/options"))) {
        return null;
      }
      Instant own = Instant.parse(earlier.identity().snapshots().getOrDefault(SNAPSHOT, ""));
      Instant other = Instant.parse(root.at("/resume/snapshots/" + SNAPSHOT).asText());
      return other.isAfter(own) ? other : null;
    } catch (JacksonException | DateTimeException e) {
      // Not a report of this job, or a run without a loaded snapshot, which emitted nothing.
      return null;
    }
  }

  /**
   * Stops reading as early as possible: the report of an incomplete run may have a line for each
   * partition.
   */
  private static @Nullable ObjectNode done(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return null;
    }
    ObjectNode root = MAPPER.createObjectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      parser.nextToken();
      JsonNode value = MAPPER.readTree(parser);
      root.set(field, value);
      boolean other = field.equals("report") && !value.asText().equals(ReportJson.NAME);
      boolean open = field.equals("exitCode") && value.asInt(-1) != ExitCode.DONE.code();
      if (other || open) {
        return null;
      }
    }
    return root;
  }

  private static boolean isSame(Map<String, String> options, JsonNode other) {
    return SAME.stream()
        .allMatch(name -> Objects.equals(options.get(name), other.path(name).asText(null)));
  }
}
