package io.tsdbsuite.trigger.report;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.trigger.s3.ObjectStore;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.s3.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.LocalDate;
import java.util.Optional;

/** The reports on S3: {@code <REPORT_ROOT>/<day>.json}. */
public final class ReportStore {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectStore store;
  private final S3Location root;

  /** Reads the reports below this root. */
  public ReportStore(ObjectStore store, S3Location root) {
    this.store = store;
    this.root = root;
  }

  /** The location of a day's report, which need not exist. */
  public S3Location place(LocalDate day) {
    return root.resolve(day + ".json");
  }

  /**
   * The report of a day; empty when it does not exist or is not JSON.
   *
   * @throws IOException when S3's response ends early
   */
  public Optional<JobReport> find(LocalDate day) throws IOException {
    Optional<StoredObject> found = store.get(place(day));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (StoredObject object = found.get()) {
      return Optional.of(read(object.stream()));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a report. The finished partitions of a failed run (50 MB for 100,000 partitions) are
   * counted but not kept.
   *
   * @throws JsonProcessingException when it is not a JSON object
   * @throws IOException when the stream fails
   */
  static JobReport read(InputStream stream) throws IOException {
    ObjectNode root = MAPPER.createObjectNode();
    int[] finished = new int[1];
    try (JsonParser parser = MAPPER.getFactory().createParser(stream)) {
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
