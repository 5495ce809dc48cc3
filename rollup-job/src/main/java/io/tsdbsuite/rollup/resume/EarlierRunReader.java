package io.tsdbsuite.rollup.resume;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.JsonFailures;
import io.tsdbsuite.rollup.report.BooksJson;
import io.tsdbsuite.rollup.report.FinishedPartitions;
import io.tsdbsuite.rollup.report.ReportJson;
import io.tsdbsuite.rollup.report.RunIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the report of an earlier run. Parses partition by partition, so that of 100,000 partitions
 * only one is in memory as a tree.
 */
public final class EarlierRunReader {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final String name;
  private final ObjectNode root = MAPPER.createObjectNode();
  private final ObjectNode resume = MAPPER.createObjectNode();
  private @Nullable FinishedPartitions finished;

  private EarlierRunReader(String name) {
    this.name = name;
  }

  /**
   * Reads a report.
   *
   * @param name name of the report in messages
   * @param stream stays open
   * @throws JobException usage, when it is not a report, has another version, is damaged, or
   *     belongs to a run that cannot be resumed
   * @throws IOException when the stream fails
   */
  public static EarlierRun read(String name, InputStream stream) throws IOException {
    EarlierRunReader reader = new EarlierRunReader(name);
    try (JsonParser parser = MAPPER.getFactory().createParser(stream)) {
      parser.disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
      reader.parse(parser);
    } catch (JacksonException e) {
      throw JobException.usage(reader.noReport(JsonFailures.describe(e)), e);
    } catch (IllegalArgumentException e) {
      throw JobException.usage("--resume " + name + " is damaged: " + e.getMessage(), e);
    }
    return reader.run();
  }

  private String noReport(String why) {
    return "--resume " + name + " is not a report of this job: " + why;
  }

  private void parse(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw JobException.usage(noReport("it is not a JSON object"));
    }
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      if (field.equals("resume") && value == JsonToken.START_OBJECT) {
        requireVersion();
        parseResume(parser);
      } else {
        root.set(field, MAPPER.readTree(parser));
      }
    }
    requireVersion();
  }

  /** Checks the version before reading other fields, whose meaning depends on it. */
  private void requireVersion() {
    if (!root.path("report").asText().equals(ReportJson.NAME)) {
      throw JobException.usage(noReport("it lacks \"report\":\"" + ReportJson.NAME + "\""));
    }
    if (root.path("v").asInt() != ReportJson.VERSION) {
      throw JobException.usage(
          ("--resume %s must be a report of version %s, found version %s: run the window"
                  + " again without --resume")
              .formatted(name, ReportJson.VERSION, root.path("v")));
    }
  }

  private void parseResume(JsonParser parser) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      JsonToken value = parser.nextToken();
      if (field.equals("finished") && value == JsonToken.START_ARRAY) {
        FinishedPartitions partitions = new FinishedPartitions();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          JsonNode partition = MAPPER.readTree(parser);
          partitions.read(partition);
        }
        finished = partitions;
      } else {
        resume.set(field, MAPPER.readTree(parser));
      }
    }
  }

  private EarlierRun run() {
    try {
      int exitCode = root.path("exitCode").asInt(-1);
      if (exitCode == ExitCode.DEFECT.code()) {
        throw JobException.usage(
            ("--resume %s cannot be resumed: the run ended with exit code 4, so its finished"
                    + " partitions may be wrong; run the window again without --resume, with more"
                    + " memory if its message names memory, or by a version without the defect")
                .formatted(name));
      }
      boolean done = exitCode == ExitCode.DONE.code();
      FinishedPartitions kept = finished;
      if (!done && kept == null) {
        throw JobException.usage(
            ("--resume %s cannot be resumed: its sink keeps no output of a failed run; run"
                    + " the window again without --resume")
                .formatted(name));
      }
      if (kept == null) {
        kept = new FinishedPartitions();
      } else {
        kept.samples(BooksJson.readSamples(resume.get("failedSamples")));
      }
      JsonNode plan = resume.path("plan");
      RunIdentity identity =
          new RunIdentity(
              text(resume, "version"),
              texts("options"),
              texts("snapshots"),
              resume.has("target") ? texts("target") : Map.of(),
              plan.isTextual() ? plan.textValue() : null);
      boolean again = root.has("resumed");
      Instant started =
          Instant.parse(again ? text(root.get("resumed"), "firstStarted") : text(root, "started"));
      int runs = again ? root.at("/resumed/earlierRuns").asInt() : 0;
      return new EarlierRun(name, done, identity, started, runs, kept);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw JobException.usage("--resume " + name + " is damaged: " + e.getMessage(), e);
    }
  }

  private Map<String, String> texts(String field) {
    JsonNode node = resume.get(field);
    if (node == null || !node.isObject()) {
      throw new IllegalArgumentException(field + " must be an object, found: " + node);
    }
    Map<String, String> texts = new TreeMap<>();
    node.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }

  private static String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    if (!value.isTextual()) {
      throw new IllegalArgumentException(field + " must be a string, found: " + value);
    }
    return value.textValue();
  }
}
