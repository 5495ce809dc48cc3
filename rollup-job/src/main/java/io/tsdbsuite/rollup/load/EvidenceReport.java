package io.tsdbsuite.rollup.load;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.JsonFailures;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The JSON report that is given as evidence. For one thread.
 *
 * @param name of the file, for messages
 * @param problems one sentence for each field that breaks its rule; {@link #problem} adds to it
 */
public record EvidenceReport(String name, JsonNode root, List<String> problems) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Reads a report.
   *
   * @param name of the file, for messages
   * @throws JobException usage, when it is no JSON
   */
  public static EvidenceReport read(String name, byte[] json) {
    try {
      return new EvidenceReport(name, MAPPER.readTree(json), new ArrayList<>());
    } catch (JacksonException e) {
      throw JobException.usage(
          "--evidence " + name + " is no report: " + JsonFailures.describe(e), e);
    } catch (IOException e) {
      throw new IllegalStateException("bytes cannot fail to be read", e);
    }
  }

  /** The text of a field; empty if there is none. */
  public String value(String field) {
    return root.at(field).asText();
  }

  /** Requires a value. */
  public void expect(String field, String wanted) {
    require(field, "must be '" + wanted + "'", is(wanted));
  }

  /** A rule of a field: a value. */
  public static Predicate<JsonNode> is(String wanted) {
    return found -> found.isValueNode() && found.asText().equals(wanted);
  }

  /** Requires a time. */
  public void time(String field) {
    require(
        field,
        "must be a time",
        at -> {
          try {
            return at.isTextual() && Instant.parse(at.textValue()).getEpochSecond() >= 0;
          } catch (DateTimeException e) {
            return false;
          }
        });
  }

  /** Requires what a rule says. */
  public void require(String field, String rule, Predicate<JsonNode> holds) {
    JsonNode found = root.at(field);
    if (!holds.test(found)) {
      problem(field + " " + rule + ", found " + (found.isMissingNode() ? "nothing" : found));
    }
  }

  /** Adds a problem. */
  public void problem(String sentence) {
    problems.add("--evidence " + name + ": " + sentence);
  }

  /** Whether there are none. */
  public boolean isGood() {
    return problems.isEmpty();
  }

  /**
   * Fails if there are problems.
   *
   * @throws JobException usage, naming all of them
   */
  public void requireGood() {
    if (!isGood()) {
      throw JobException.usage(problems);
    }
  }
}
