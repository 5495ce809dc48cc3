package io.tsdbsuite.rollup.load;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.JsonFailures;
import io.tsdbsuite.rollup.hfile.AggregatorIds;
import io.tsdbsuite.rollup.hfile.Manifest;
import io.tsdbsuite.rollup.report.ReportJson;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.report.RunProofJson;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;

/** A run whose rollups went to Kafka, by its report. */
public final class SentRun implements StoredRun {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Each rollup is stored as sum, min, max and count. */
  private static final int CELLS = 4;

  private final String name;
  private final JsonNode root;
  private final List<String> problems = new ArrayList<>();
  private @Nullable Manifest manifest;
  private boolean incomplete;

  private SentRun(String name, JsonNode root) {
    this.name = name;
    this.root = root;
  }

  /** Whether a report is of a run of rollup-job, whatever it says. */
  public static boolean isReport(byte[] json) {
    try {
      return MAPPER.readTree(json).path("report").asText().equals(ReportJson.NAME);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Reads the report of a run.
   *
   * @param name of the file, for messages and as evidence
   * @param schema of the TSDs
   * @param rollups of the TSDs
   * @throws JobException usage, naming all that is not as it must be
   */
  public static SentRun read(String name, byte[] json, StorageSchema schema, RollupConfig rollups) {
    SentRun run;
    try {
      run = new SentRun(name, MAPPER.readTree(json));
    } catch (JacksonException e) {
      throw JobException.usage(
          "--evidence " + name + " is no report: " + JsonFailures.describe(e), e);
    } catch (IOException e) {
      throw new IllegalStateException("bytes cannot fail to be read", e);
    }
    run.check(schema);
    List<Manifest.Table> tables = run.tables(rollups);
    RunProof proof = run.proof();
    if (!run.problems.isEmpty()) {
      throw JobException.usage(run.problems);
    }
    run.manifest =
        new Manifest(
            0,
            run.root.at("/started").asText().replaceAll("[-:]|\\.\\d+", ""),
            run.root.at("/resume/version").asText(),
            null,
            Instant.parse(run.root.at("/input/asOf").asText()).toEpochMilli(),
            run.texts("/resume/options"),
            run.texts("/resume/snapshots"),
            tables,
            proof);
    return run;
  }

  private void check(StorageSchema schema) {
    expect("/report", ReportJson.NAME);
    expect("/v", Integer.toString(ReportJson.VERSION));
    expect("/exitCode", Integer.toString(ExitCode.DONE.code()));
    expect("/booksClose", "true");
    expect("/input/dataTable", schema.dataTable());
    expect("/resume/options/--sink", "kafka");
    // The messages of the other format do not tell when their points were read.
    expect("/resume/options/--format", "rollup");
    schema.rowKeys().forEach((key, value) -> expect("/resume/options/--" + key, value));
    for (String time : List.of("/started", "/input/asOf")) {
      try {
        Instant unused = Instant.parse(root.at(time).asText());
      } catch (DateTimeException e) {
        problem(time, "must be a time");
      }
    }
  }

  private void expect(String field, String wanted) {
    if (!root.at(field).asText().equals(wanted)) {
      problem(field, "must be '" + wanted + "'");
    }
  }

  private void problem(String field, String rule) {
    JsonNode found = root.at(field);
    problems.add(
        "--evidence "
            + name
            + ": "
            + field
            + " "
            + rule
            + ", found "
            + (found.isMissingNode() ? "nothing" : found.toString()));
  }

  private List<Manifest.Table> tables(RollupConfig rollups) {
    List<Manifest.Table> tables = new ArrayList<>();
    for (String each : root.at("/window/interval").asText().split(",", -1)) {
      RollupInterval interval = rollups.interval(each);
      if (interval == null) {
        problem("/window/interval", "must be intervals of the rollup configuration");
      } else {
        Map<String, Integer> ids = AggregatorIds.of(rollups).byName();
        tables.add(new Manifest.Table(interval.table(), each, "", ids, List.of(), List.of()));
      }
    }
    return tables;
  }

  private @Nullable RunProof proof() {
    try {
      return RunProofJson.read(root.path("proof"));
    } catch (IOException e) {
      problems.add(
          "--evidence " + name + ": /proof: " + e.getMessage() + "; older versions write none");
      return null;
    }
  }

  private Map<String, String> texts(String field) {
    Map<String, String> texts = new TreeMap<>();
    root.at(field).properties().forEach(each -> texts.put(each.getKey(), each.getValue().asText()));
    return texts;
  }

  @Override
  public Manifest manifest() {
    return Objects.requireNonNull(manifest);
  }

  @Override
  public String writer() {
    return "sent-" + manifest().run();
  }

  @Override
  public String evidence() {
    return "all rollups of the run to Kafka were found, report " + name;
  }

  /** Who adds the windows by hand may do so twice. */
  @Override
  public boolean isCovered() {
    return false;
  }

  @Override
  public void markCovered(String windows) {}

  @Override
  public void lookBefore(Table rollups, SeenRollups found, Manifest.Table of) throws IOException {
    found.beforeWindow(rollups);
  }

  /**
   * Cells of the run, also those that it has taken back. Its report has the number of these for all
   * tables together.
   */
  @Override
  public String difference(ToLongFunction<Manifest.Table> found) {
    long all = 0;
    long wanted = CELLS * root.at("/rollupsTakenBack").asLong();
    boolean lacks = false;
    for (Manifest.Table table : manifest().tables()) {
      long emitted = CELLS * root.path("rollupsByInterval").path(table.interval()).asLong();
      long cells = found.applyAsLong(table);
      wanted += emitted;
      all += cells;
      lacks |= cells < emitted;
    }
    incomplete = lacks || all < wanted;
    if (all == wanted && !lacks) {
      return "";
    }
    return "the rollup tables must have the cells of the run, "
        + wanted
        + ", found "
        + all
        + (incomplete
            ? ": TSDs have not stored all of them"
            : ": another run over the same snapshot has stored rollups too, which nothing tells"
                + " apart");
  }

  /** Whether the last look has found less than the run has sent. */
  boolean isIncomplete() {
    return incomplete;
  }
}
