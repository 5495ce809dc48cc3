package io.tsdbsuite.rollup.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.cli.RollupCommand.SinkKind;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.ReportJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The report of an earlier run: of {@code --since-report}, which this run follows, or of {@code
 * --refresh-report}. Both runs must roll up the same data.
 */
final class SinceReport {
  private final String option;
  private final String name;
  private final JsonNode report;
  private final Problems problems;

  /**
   * @param option that names the report
   * @param name name of the report in messages
   * @param problems receives the problems found
   */
  SinceReport(String option, String name, JsonNode report, Problems problems) {
    this.option = option;
    this.name = name;
    this.report = report;
    this.problems = problems;
  }

  /**
   * Checks the report against this run.
   *
   * @param schema null if unknown, which is reported separately
   * @param intervals null if unknown, which is reported separately
   * @return whether it is the report of a run that is done
   */
  boolean check(
      RollupCommand command, @Nullable StorageSchema schema, @Nullable RollupIntervals intervals) {
    if (!ReportJson.NAME.equals(report.path("report").asText())) {
      problem("must be a report of this job");
      return false;
    }
    if (report.path("exitCode").asInt(-1) != ExitCode.DONE.code()) {
      problem("must be of a run that is done: bring that one to its end first (--resume)");
      return false;
    }
    if (schema != null) {
      Map<String, String> keys = new TreeMap<>();
      RunOptions.schema(keys, schema);
      keys.forEach(this::requireSame);
    }
    if (intervals != null) {
      requireSame("--interval", intervals.text());
    }
    requireSame("--metrics", String.join(",", command.choice.metrics));
    requireSame("--sink", command.sink.name().toLowerCase(Locale.ROOT));
    if (command.sink == SinkKind.KAFKA && command.topic != null) {
      requireSame("--topic", command.topic);
    }
    return true;
  }

  /** Requires that the earlier window reaches this start: no run would find rows in a gap. */
  void requireNoGap(Instant from) {
    Instant to = windowEnd();
    if (to != null && to.isBefore(from)) {
      problem(
          "must be of a run whose window ends where this one begins ("
              + from
              + ") or later, found one that ends at "
              + to
              + ": no run would find changes between the two; roll up from there, or give the"
              + " report of the run before this one");
    }
  }

  private void requireSame(String option, String value) {
    String found = report.path("resume").path("options").path(option).asText("");
    if (!found.equals(value)) {
      problem("must be of a run with " + option + " '" + value + "', found '" + found + "'");
    }
  }

  /** End of the earlier window; null if the report lacks it. */
  @Nullable Instant windowEnd() {
    return instant("/window/to");
  }

  /** Creation time of the earlier run's snapshot; null if the report lacks it. */
  @Nullable Instant snapshotTime() {
    return instant("/input/dataSnapshotTime");
  }

  /** The data table. */
  String table() {
    return report.at("/input/dataTable").asText();
  }

  /** Names of the HFiles of that snapshot; null if the report lacks them. */
  @Nullable Set<String> dataFiles() {
    JsonNode names = report.path("dataFiles");
    if (!names.isArray()) {
      return null;
    }
    Set<String> files = new HashSet<>();
    names.forEach(file -> files.add(file.asText()));
    return files;
  }

  private @Nullable Instant instant(String pointer) {
    String text = report.at(pointer).asText();
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      problem("has no time at " + pointer + ", found: '" + text + "'");
      return null;
    }
  }

  private void problem(String text) {
    problems.add(option + " " + name + " " + text);
  }
}
