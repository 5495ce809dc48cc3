package io.tsdbsuite.rollup.resume;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.error.JsonFailures;
import io.tsdbsuite.rollup.report.ReportFile;
import io.tsdbsuite.rollup.report.ReportJson;
import io.tsdbsuite.rollup.spark.SparkStart;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The report of an earlier run: of {@code --since-report}, which this run follows, or of {@code
 * --refresh-report}. Both runs must roll up the same data.
 *
 * @param option that names the report
 * @param name a local file, or a URI
 * @param problems receives the problems that the methods find
 */
public record SinceReport(String option, String name, JsonNode report, Problems problems) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Reads the report.
   *
   * @throws JobException usage, when it does not exist or is not JSON; outside, when storage fails
   */
  public static SinceReport read(String option, String name, Problems problems) {
    Configuration hadoop = ReportFile.isLocal(name) ? null : SparkStart.hadoop();
    JsonNode report =
        ReportFile.of(name, hadoop)
            .read(
                option,
                stream -> {
                  try {
                    return MAPPER.readTree(stream);
                  } catch (JacksonException e) {
                    throw JobException.usage(
                        option + " " + name + " is no report: " + JsonFailures.describe(e), e);
                  }
                });
    return new SinceReport(option, name, report, problems);
  }

  /**
   * Checks the report against this run.
   *
   * @param same options that both runs must have, with their values
   * @return whether it is the report of a run that is done
   */
  public boolean check(Map<String, String> same) {
    if (!ReportJson.NAME.equals(report.path("report").asText())) {
      problem("must be a report of this job");
      return false;
    }
    if (report.path("exitCode").asInt(-1) != ExitCode.DONE.code()) {
      problem("must be of a run that is done: bring that one to its end first (--resume)");
      return false;
    }
    JsonNode options = report.path("resume").path("options");
    same.forEach(
        (given, value) -> {
          String found = options.path(given).asText("");
          if (!found.equals(value)) {
            problem("must be of a run with " + given + " '" + value + "', found '" + found + "'");
          }
        });
    return true;
  }

  /** Requires that the earlier window reaches this start: no run would find rows in a gap. */
  public void requireNoGap(Instant from) {
    Instant to = windowEnd();
    if (to != null && to.isBefore(from)) {
      problem(
          ("must be of a run whose window ends where this one begins (%s) or later, found"
                  + " one that ends at %s: no run would find changes between the two; roll up from"
                  + " there, or give the report of the run before this one")
              .formatted(from, to));
    }
  }

  /** End of the earlier window; null if the report lacks it. */
  public @Nullable Instant windowEnd() {
    return instant("/window/to");
  }

  /** Creation time of the earlier run's snapshot; null if the report lacks it. */
  public @Nullable Instant snapshotTime() {
    return instant("/input/dataSnapshotTime");
  }

  /** The data table. */
  public String table() {
    return report.at("/input/dataTable").asText();
  }

  /** Names of the HFiles of that snapshot; null if the report lacks them. */
  public @Nullable Set<String> dataFiles() {
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
