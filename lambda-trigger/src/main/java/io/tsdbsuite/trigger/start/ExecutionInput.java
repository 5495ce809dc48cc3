package io.tsdbsuite.trigger.start;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.trigger.s3.S3Location;
import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The input of the state machine: {@code
 * {"v":1,"root":"s3://b/p","dataSnapshot":"tsdb-20261121","uidSnapshot":"tsdb-uid-20261121",
 * "snapshotTime":"2026-11-21T00:30:00Z","days":["2026-11-20"]}}.
 *
 * @param root root directory of the exports
 * @param dataSnapshot name of the snapshot of the data table
 * @param uidSnapshot name of the snapshot of the UID table
 * @param days the days to roll up, the oldest first
 * @param notBefore reports of runs that began earlier do not count as success; an operator sets
 *     {@code "notBefore"} to run days again
 */
public record ExecutionInput(
    S3Location root,
    String dataSnapshot,
    String uidSnapshot,
    List<LocalDate> days,
    Instant notBefore) {
  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The input for a night, as JSON. */
  static String write(S3Location root, WholeNight night, List<LocalDate> days) {
    ObjectNode input = MAPPER.createObjectNode();
    input.put("v", VERSION);
    input.put("root", root.uri());
    input.put("dataSnapshot", night.night().dataSnapshot());
    input.put("uidSnapshot", night.night().uidSnapshot());
    input.put("snapshotTime", night.snapshotTime().toString());
    days.forEach(day -> input.withArray("/days").add(day.toString()));
    return input.toString();
  }

  /**
   * Parses the JSON, which may be handwritten; other fields belong to the state machine.
   *
   * @throws IllegalArgumentException with the field, the rule and the value found
   */
  static ExecutionInput read(JsonNode input) {
    if (input.path("v").asInt() != VERSION) {
      throw wrong("v", "must be " + VERSION, input);
    }
    S3Location root;
    try {
      root = S3Location.parse(text(input, "root"));
    } catch (IllegalArgumentException e) {
      throw wrong("root", e.getMessage(), input);
    }
    List<LocalDate> days = new ArrayList<>();
    try {
      for (JsonNode day : input.path("days")) {
        days.add(LocalDate.parse(day.asText()));
      }
    } catch (DateTimeException e) {
      throw wrong("days", "must be days, yyyy-MM-dd", input);
    }
    if (days.isEmpty()) {
      throw wrong("days", "must have at least one day, yyyy-MM-dd", input);
    }
    return new ExecutionInput(
        root,
        text(input, "dataSnapshot"),
        text(input, "uidSnapshot"),
        days.stream().distinct().sorted().toList(),
        notBefore(input));
  }

  private static Instant notBefore(JsonNode input) {
    if (!input.hasNonNull("notBefore")) {
      return Instant.MIN;
    }
    try {
      return Instant.parse(text(input, "notBefore"));
    } catch (DateTimeException e) {
      throw wrong("notBefore", "must be a time, 2026-11-21T00:30:00Z", input);
    }
  }

  /** The two snapshots; their date is not used. */
  public Night night() {
    return new Night(LocalDate.ofInstant(Instant.EPOCH, ZoneOffset.UTC), dataSnapshot, uidSnapshot);
  }

  private static String text(JsonNode input, String field) {
    String text = input.path(field).asText();
    if (text.isEmpty()) {
      throw wrong(field, "must be a text", input);
    }
    return text;
  }

  private static IllegalArgumentException wrong(
      String field, @Nullable String rule, JsonNode input) {
    return new IllegalArgumentException(
        "the input's " + field + " " + rule + ", found: " + input.path(field));
  }

  /**
   * The state machine's input to PrepareHandler: {@code
   * {"execution":"arn:...:execution:MACHINE:NAME","input":{...}}}, with {@code "load":"2026-11-20"}
   * if it asks for the load of a day's HFiles.
   *
   * @param execution ARN of the execution
   * @param input its input
   * @param load the day whose HFiles are to be loaded; empty to plan the attempt
   */
  public record PrepareInput(String execution, ExecutionInput input, Optional<LocalDate> load) {
    /**
     * Parses the JSON.
     *
     * @throws IllegalArgumentException with the field, the rule and the value found
     * @throws IOException when the stream fails
     */
    public static PrepareInput read(InputStream stream) throws IOException {
      JsonNode json;
      try {
        json = MAPPER.readTree(stream);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException("the input must be JSON: " + e.getOriginalMessage(), e);
      }
      String execution = json.path("execution").asText();
      if (!RunningExecutions.isExecution(execution)) {
        throw new IllegalArgumentException(
            "the input's execution must be the ARN of an execution, found: "
                + json.path("execution"));
      }
      Optional<LocalDate> load;
      try {
        load =
            json.has("load")
                ? Optional.of(LocalDate.parse(json.path("load").asText()))
                : Optional.empty();
      } catch (DateTimeException e) {
        throw wrong("load", "must be a day, yyyy-MM-dd", json);
      }
      return new PrepareInput(execution, ExecutionInput.read(json.path("input")), load);
    }
  }
}
