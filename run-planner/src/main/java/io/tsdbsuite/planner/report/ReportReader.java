package io.tsdbsuite.planner.report;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Reads reports. The finished partitions of a failed run (50 MB for 100,000 partitions) are counted
 * but not kept.
 */
public final class ReportReader {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ReportReader() {}

  /**
   * Reads a report to its end.
   *
   * @return empty when it is not a JSON object, for example because its writer was killed
   * @throws IOException when the stream fails
   */
  public static Optional<JobReport> read(InputStream stream) throws IOException {
    try (JsonParser parser = MAPPER.getFactory().createParser(stream)) {
      return Optional.of(read(parser));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static JobReport read(JsonParser parser) throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
    int[] finished = new int[1];
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new JsonParseException(parser, "not a JSON object");
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      if (parser.nextToken() == JsonToken.START_OBJECT && field.equals("resume")) {
        root.set(field, resume(parser, finished));
      } else {
        root.set(field, MAPPER.readTree(parser));
      }
    }
    return new JobReport(root, finished[0]);
  }

  private static ObjectNode resume(JsonParser parser, int[] finished) throws IOException {
    ObjectNode resume = MAPPER.createObjectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      if (parser.nextToken() == JsonToken.START_ARRAY && field.equals("finished")) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          parser.skipChildren();
          finished[0]++;
        }
      } else {
        resume.set(field, MAPPER.readTree(parser));
      }
    }
    return resume;
  }
}
