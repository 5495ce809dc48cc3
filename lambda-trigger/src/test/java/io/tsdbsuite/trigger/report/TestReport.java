package io.tsdbsuite.trigger.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/** A report of rollup-job for 2026-11-20, which tests modify. */
public final class TestReport {
  /** The job's outcomes, by exit code. */
  private static final List<String> OUTCOMES =
      List.of("done", "bad_input", "usage", "outside", "defect");

  private final ObjectNode root;

  private TestReport(ObjectNode root) {
    this.root = root;
  }

  /** The report of a successful run. */
  public static TestReport done() {
    try (InputStream in = TestReport.class.getResourceAsStream("/report-done.json")) {
      return new TestReport((ObjectNode) new ObjectMapper().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The report of a killed run with finished partitions. */
  public static TestReport killed(int finished) {
    TestReport report = done();
    report.root.put("state", "running").putNull("exitCode").put("outcome", "running");
    report.root.put("booksClose", false);
    report.root.set("updated", report.root.remove("ended"));
    return report.finished(finished);
  }

  /** The report of a run with this exit code. */
  public static TestReport failed(int exitCode, int finished) {
    TestReport report = done();
    report.root.put("exitCode", exitCode).put("outcome", OUTCOMES.get(exitCode));
    report.root.put("message", "something happened");
    return report.finished(finished);
  }

  private TestReport finished(int count) {
    for (int i = 0; i < count; i++) {
      root.withObject("/resume")
          .withArray("/finished")
          .addObject()
          .put("index", i)
          .putObject("books")
          .put("rowsRead", 10);
    }
    return this;
  }

  /** Sets a text, by its object and its name. */
  public TestReport with(String object, String name, String value) {
    ((ObjectNode) root.at(object)).put(name, value);
    return this;
  }

  /** Removes a field, by its object and its name. */
  public TestReport without(String object, String name) {
    ((ObjectNode) root.at(object)).remove(name);
    return this;
  }

  /** Sets a field. */
  public TestReport with(String name, boolean value) {
    root.put(name, value);
    return this;
  }

  /** Adds a proof as of a time. */
  public TestReport proof(Instant readAsOf) {
    root.putObject("proof").put("readAsOf", readAsOf.toString());
    return this;
  }

  /** Of a run that has written HFiles into a directory. */
  public TestReport hfiles(String directory) {
    root.withObject("/output").put("hfileDir", directory);
    root.withObject("/resume/options").put("--sink", "hfile").remove("--topic");
    return this;
  }

  /** The report of another day. */
  public TestReport day(LocalDate day) {
    with("/window", "from", day + "T00:00:00Z");
    with("/window", "to", day.plusDays(1) + "T00:00:00Z");
    with("/resume/options", "--from", day + "T00:00:00Z");
    return with("/resume/options", "--to", day.plusDays(1) + "T00:00:00Z");
  }

  @Override
  public String toString() {
    return root.toPrettyString();
  }
}
