package io.tsdbsuite.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.trigger.log.Metrics;
import io.tsdbsuite.trigger.report.S3Reports;
import io.tsdbsuite.trigger.s3.S3Location;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/** Checks the report of a day's job: the job must have succeeded. */
record ReportCheck(S3Reports reports) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * The task's input: the step whose report is checked.
   *
   * @param day the day, UTC
   * @param report the report's location in the job's options
   * @param notBefore start of the attempt; an older report belongs to another attempt
   * @param failed whether the step has failed
   */
  record Input(LocalDate day, S3Location report, Instant notBefore, boolean failed) {
    /**
     * Reads the task's input.
     *
     * @throws IllegalArgumentException when a field is missing or wrong
     */
    static Input read(InputStream stream) throws IOException {
      JsonNode input = MAPPER.readTree(stream);
      try {
        return new Input(
            LocalDate.parse(input.path("day").asText()),
            S3Location.parse(input.path("report").asText()),
            Instant.parse(input.path("notBefore").asText()),
            input.path("failed").asBoolean());
      } catch (DateTimeException | IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "the input must have day (yyyy-MM-dd), report (s3://bucket/key) and notBefore (a time),"
                + " found: "
                + input,
            e);
      }
    }
  }

  /**
   * Checks a report and writes its figures as metrics.
   *
   * @param metrics receives the figures
   * @return a few figures, for the execution's history
   * @throws ReportNotDone when there is no report of success
   */
  ObjectNode check(Input input, Metrics metrics) throws IOException {
    if (!input.report().equals(reports.place(input.day()))) {
      throw new IllegalArgumentException(
          "the report of %s must be %s, found: %s"
              .formatted(input.day(), reports.place(input.day()), input.report()));
    }
    JobReport report =
        reports
            .find(input.day())
            .orElseThrow(
                () -> new ReportNotDone(input.report() + " does not exist or is not JSON"));
    Optional<String> whyNot = report.whyNotDone(input.day());
    if (whyNot.isPresent()) {
      throw new ReportNotDone("report " + input.report() + ": " + whyNot.get());
    }
    if (!isOfAttempt(report, input)) {
      throw new ReportNotDone(
          "report %s: an earlier run wrote it, which ended before %s"
              .formatted(input.report(), input.notBefore()));
    }
    metrics.count("DaysSucceeded", 1);
    metrics.count("RowsRead", report.number("/rows/read"));
    // The job counts both against --max-failed-rows; the rows of a failed day are valid.
    metrics.count(
        "RowsFailed", report.sum("/rows/failed") + report.number("/days/failed/failedDay"));
    metrics.count("DaysOfSeriesFailed", report.sum("/days/failed"));
    metrics.count("PointsRead", report.number("/points/read"));
    metrics.count("Rollups", report.number("/rollups"));
    metrics.count("MessagesAcknowledged", report.number("/messages/acknowledged"));
    metrics.bytes("BytesRead", report.number("/storage/bytesRead"));
    metrics.seconds("JobTime", report.duration().toMillis() / 1e3);
    ObjectNode summary = MAPPER.createObjectNode();
    summary.put("day", input.day().toString());
    summary.put("report", input.report().uri());
    summary.put("rowsRead", report.number("/rows/read"));
    summary.put("rowsFailed", report.sum("/rows/failed"));
    summary.put("pointsRead", report.number("/points/read"));
    summary.put("rollups", report.number("/rollups"));
    summary.put("messagesAcknowledged", report.number("/messages/acknowledged"));
    summary.put("seconds", report.duration().toSeconds());
    summary.put("warnings", report.root().path("warnings").size());
    return summary;
  }

  /**
   * Whether a step that has failed may succeed in another attempt: its run has ended with exit code
   * 3, or its driver was lost and has written no end, or has never run.
   */
  boolean mayRunAgain(Input input) throws IOException {
    return reports
        .find(input.day())
        .filter(report -> isOfAttempt(report, input))
        .map(it -> it.diedOrFailedOutside() || it.whyNotDone(input.day()).isEmpty())
        .orElse(true);
  }

  private static boolean isOfAttempt(JobReport report, Input input) {
    return report.ended().filter(ended -> !ended.isBefore(input.notBefore())).isPresent();
  }
}
