package io.tsdbsuite.nightly.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reports for tests. */
public final class Reports {
  private static final Path SAMPLE =
      Path.of("..", "lambda-trigger", "src", "test", "resources", "report-done.json");

  private Reports() {}

  /** A report of rollup-job for 2026-11-20, which succeeded. */
  public static JobReport done() {
    try {
      return new JobReport((ObjectNode) new ObjectMapper().readTree(Files.readString(SAMPLE)), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A report with these fields. */
  public static JobReport of(String json) {
    try {
      return new JobReport((ObjectNode) new ObjectMapper().readTree(json), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
