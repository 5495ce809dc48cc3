package io.tsdbsuite.planner;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.planner.report.JobReport;
import io.tsdbsuite.planner.report.ReportReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;

/** Reports of rollup-job: the sample of lambda-trigger's tests, changed. */
public final class SampleReport {
  private static final Path SAMPLE =
      Path.of("..", "lambda-trigger", "src", "test", "resources", "report-done.json");

  private final ObjectNode root;

  private SampleReport(ObjectNode root) {
    this.root = root;
  }

  /** The report of success of a day, from snapshots that were taken at these times. */
  public static SampleReport done(LocalDate day, Instant data, Instant uid) {
    try {
      ObjectNode root = (ObjectNode) new ObjectMapper().readTree(Files.readString(SAMPLE));
      root.withObject("/window").put("from", day + "T00:00:00Z");
      root.withObject("/window").put("to", day.plusDays(1) + "T00:00:00Z");
      root.withObject("/resume/options").put("--from", day + "T00:00:00Z");
      root.withObject("/resume/options").put("--to", day.plusDays(1) + "T00:00:00Z");
      root.withObject("/resume/snapshots").put("--data-snapshot", data.toString());
      root.withObject("/resume/snapshots").put("--uid-snapshot", uid.toString());
      return new SampleReport(root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same of a run that failed. */
  public SampleReport failed(int exitCode) {
    root.put("exitCode", exitCode).put("outcome", exitCode == 1 ? "bad_input" : "outside");
    return this;
  }

  /** The same of another version of the reports. */
  public SampleReport version(int version) {
    root.put("v", version);
    return this;
  }

  /** Sets the time when the run ended. */
  public SampleReport ended(Instant time) {
    root.put("ended", time.toString());
    return this;
  }

  /** Sets an option of the run. */
  public SampleReport option(String name, String value) {
    root.withObject("/resume/options").put(name, value);
    return this;
  }

  /** Adds finished partitions. */
  public SampleReport finished(int count) {
    for (int i = 0; i < count; i++) {
      root.withObject("/resume").withArray("/finished").addObject().put("index", i);
    }
    return this;
  }

  /** The report as it is read. */
  public JobReport read() {
    try {
      return ReportReader.read(
              new ByteArrayInputStream(root.toString().getBytes(StandardCharsets.UTF_8)))
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
