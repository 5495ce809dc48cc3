package io.tsdbsuite.rollup.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.hfile.Manifest;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the report of a run to Kafka says for the coverage. */
class SentRunTest {
  private static final StorageSchema SCHEMA = StorageSchema.from(TsdConfig.parse(""));
  private static final String CONFIG =
      "{\"aggregationIds\":{\"sum\":0,\"count\":1,\"min\":2,\"max\":3},\"intervals\":["
          + "{\"table\":\"tsdb\",\"preAggregationTable\":\"tsdb\",\"interval\":\"1m\","
          + "\"rowSpan\":\"1h\",\"defaultInterval\":true},"
          + "{\"table\":\"r-1h\",\"preAggregationTable\":\"a\",\"interval\":\"1h\","
          + "\"rowSpan\":\"1d\"},"
          + "{\"table\":\"r-6h\",\"preAggregationTable\":\"a\",\"interval\":\"6h\","
          + "\"rowSpan\":\"1n\"}]}";

  private static final RollupConfig ROLLUPS = RollupConfig.parse(CONFIG);

  private final ObjectNode report = new ObjectMapper().createObjectNode();

  @BeforeEach
  void done() {
    report.put("report", "rollup-job").put("v", 3).put("exitCode", 0).put("booksClose", true);
    report.put("started", "2025-11-20T03:15:00.123Z").put("rollupsTakenBack", 0);
    report.putObject("input").put("dataTable", "tsdb").put("asOf", "2025-11-20T02:00:00.007Z");
    report.putObject("window").put("interval", "1h,6h");
    ObjectNode resume = report.putObject("resume");
    ObjectNode options = resume.putObject("options").put("--sink", "kafka");
    options.put("--format", "rollup").put("--from", "2025-11-19T00:00:00Z");
    options.put("--to", "2025-11-20T00:00:00Z");
    SCHEMA.rowKeys().forEach((key, value) -> options.put("--" + key, value));
    resume.putObject("snapshots").put("--data-snapshot", "2025-11-20T02:00:00.007Z");
    ObjectNode proof = report.putObject("proof").put("readAsOf", "2025-11-20T02:00:00.007Z");
    proof.putArray("gaps");
    proof.putArray("oddMetrics");
    proof.putArray("refreshes");
    report.putObject("rollupsByInterval").put("1h", 48).put("6h", 8);
  }

  private SentRun read() {
    return read(ROLLUPS);
  }

  private SentRun read(RollupConfig rollups) {
    return SentRun.read("r.json", report.toString().getBytes(UTF_8), SCHEMA, rollups);
  }

  private String difference(SentRun run, long hours, long sixHours) {
    Map<String, Long> found = Map.of("1h", hours, "6h", sixHours);
    return run.difference((table, level) -> level.isEmpty() ? found.get(table.interval()) : 0);
  }

  @Test
  void theRunOfAReport() {
    SentRun run = read();
    assertThat(Instant.ofEpochMilli(run.manifest().stamp()))
        .hasToString("2025-11-20T02:00:00.007Z");
    assertThat(run.writer()).isEqualTo("sent-20251120T031500123Z");
    assertThat(run.manifest().tables()).extracting("name").containsExactly("r-1h", "r-6h");
    assertThat(
            new ProvenWindows(
                    run.manifest(), SuiteConfig.NONE, run.writer(), "e", t -> Long.MAX_VALUE)
                .windows())
        .extracting("interval")
        .containsExactly("1h", "6h");
  }

  @Test
  void allCellsAndNoOthers() {
    SentRun run = read();
    assertThat(difference(run, 4 * 48, 4 * 8)).isEmpty();
    assertThat(run.isIncomplete()).isFalse();
    assertThat(difference(run, 4 * 48, 4 * 8 - 1)).contains("224", "223", "have not stored");
    assertThat(run.isIncomplete()).isTrue();
    assertThat(difference(run, 4 * 48 - 1, 4 * 8 + 1)).as("one for the other").isNotEmpty();
    assertThat(run.isIncomplete()).isTrue();
    assertThat(difference(run, 4 * 48 + 1, 4 * 8)).contains("another run");
    assertThat(run.isIncomplete()).isFalse();
    report.put("rollupsTakenBack", 2);
    run = read();
    assertThat(difference(run, 4 * 48 + 4, 4 * 8)).isNotEmpty();
    assertThat(difference(run, 4 * 48 + 4, 4 * 8 + 4)).isEmpty();
  }

  private static String difference(SentRun run, long hours, long p99, long first) {
    Map<String, Long> found = Map.of("", hours, "p99", p99, "first", first);
    return run.difference((table, level) -> table.interval().equals("1h") ? found.get(level) : 0);
  }

  @Test
  void allCellsOfFurtherAggregators() {
    RollupConfig rollups =
        LoadCheckTest.config(
            LoadCheckTest.entry("a.*", "1h", "p99"),
            LoadCheckTest.entry("*.latency", "1h", "p99,first"));
    report.withObject("/window").put("interval", "1h");
    report.withObject("/rollupsByInterval").put("1h", 48);
    report.putObject("rollupsByLevel").put("1h.p99", 20).put("1h.first", 8);
    report.withObject("/resume/options").put("suite", rollups.suite().text());
    SentRun run = read(rollups);
    assertThat(difference(run, 192, 20, 8)).isEmpty();
    assertThat(difference(run, 192, 19, 8)).contains("220", "219", "have not stored");
    assertThat(run.isIncomplete()).isTrue();
    assertThat(difference(run, 192, 19, 9)).as("one for the other").isNotEmpty();
    assertThat(difference(run, 192, 21, 8)).contains("another run");
    report.put("rollupsTakenBack", 2);
    run = read(rollups);
    assertThat(difference(run, 200, 22, 10)).isEmpty();
    assertThat(difference(run, 200, 22, 8)).as("of each, all are deleted").isNotEmpty();
    assertThatThrownBy(this::read)
        .hasMessageContaining("/resume/options/suite must be '', found")
        .hasMessageContaining("p99,first");
  }

  /** Their slots are compared, whoever has written them; no number of parts is known. */
  @Test
  void packedRowsAreNotCounted() {
    RollupConfig rollups =
        RollupConfig.parse(CONFIG.replaceFirst("}$", ",\"suite\":{\"packed\":{\"1h\":\"x-1h\"}}}"));
    SentRun run = read(rollups);
    assertThat(run.manifest().tables())
        .extracting("name", "level")
        .containsExactly(tuple("r-1h", "1h"), tuple("x-1h", "1h.packed"), tuple("r-6h", "6h"));
    assertThat(difference(run, 4 * 48, 4 * 8)).isEmpty();
  }

  /** Of the 48 rollups of 1h 3 are a histogram alone. */
  @Test
  void allCellsOfHistograms() {
    RollupConfig rollups = LoadCheckTest.histograms("*.latency");
    report.withObject("/window").put("interval", "1h,1d");
    report.putObject("rollupsByInterval").put("1h", 48).put("1d", 2);
    report.putObject("histogramsAlone").put("1h", 3);
    report.putObject("rollupsByLevel").put("1h.histogram", 20);
    report.withObject("/resume/options").put("suite", rollups.suite().text());
    SentRun run = read(rollups);
    assertThat(run.manifest().tables())
        .extracting(Manifest.Table::name, Manifest.Table::level)
        .containsExactly(tuple("r-1h", "1h"), tuple("h-1h", "1h.histogram"), tuple("r-1d", "1d"));
    assertThat(cells(run, 180, 20, 8)).isEmpty();
    assertThat(cells(run, 180, 19, 8)).contains("208", "207", "have not stored");
    assertThat(cells(run, 180, 21, 8)).contains("another run");
    report.put("rollupsTakenBack", 3);
    run = read(rollups);
    assertThat(cells(run, 188, 22, 12)).as("two of 1h, one of 1d").isEmpty();
    assertThat(cells(run, 188, 20, 12)).contains("have not stored");
    report.putObject("lateHistogramsAlone").put("1h", 1);
    run = read(rollups);
    assertThat(cells(run, 192, 22, 12)).as("the four of one more of 1h").isEmpty();
    assertThat(cells(run, 188, 22, 12)).contains("have not stored");
    assertThat(cells(run, 192, 23, 12)).isNotEmpty();
    report.withObject("/resume/options").remove("suite");
    assertThat(read(rollups).manifest().tables()).hasSize(2);
  }

  private static String cells(SentRun run, long hours, long histograms, long days) {
    Map<String, Long> found = Map.of("1h", hours, "1h.histogram", histograms, "1d", days);
    return run.difference((table, level) -> found.get(table.level()));
  }

  @Test
  void aRunOfHFilesIsNotWaitedFor() {
    report.withObject("/resume/options").put("--sink", "hfile").remove("--format");
    SentRun run = read();
    assertThat(difference(run, 4 * 48, 4 * 8)).isEmpty();
    assertThat(difference(run, 4 * 48, 0)).contains("224", "192", "load its HFiles");
    assertThat(run.isIncomplete()).isFalse();
  }

  @Test
  void aRunThatFailedInPartProvesNothing() {
    report.withObject("/proof").putArray("gaps").add("1 rows failed");
    SentRun run = read();
    assertThat(
            new ProvenWindows(
                    run.manifest(), SuiteConfig.NONE, run.writer(), "e", t -> Long.MAX_VALUE)
                .windows())
        .isEmpty();
    assertThat(ProvenWindows.obstacle(run.manifest(), Instant.parse("2025-11-20T04:00:00Z")))
        .contains("1 rows failed");
  }

  @Test
  void otherReportsAreRefused() {
    report.put("booksClose", false).put("exitCode", 1).remove("proof");
    report.withObject("/input").put("dataTable", "other");
    report.withObject("/window").put("interval", "1h,1d");
    report.withObject("/resume/options").put("--sink", "json").put("--tsd.storage.salt.width", "1");
    assertThatThrownBy(this::read)
        .isInstanceOfSatisfying(
            JobException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("/booksClose must be 'true', found false")
        .hasMessageContaining("/exitCode must be '0', found 1")
        .hasMessageContaining("/input/dataTable must be 'tsdb', found \"other\"")
        .hasMessageContaining("/resume/options/--sink must be 'kafka', found \"json\"")
        .hasMessageContaining("/resume/options/--tsd.storage.salt.width must be '0'")
        .hasMessageContaining("/window/interval must be intervals of the rollup configuration")
        .hasMessageContaining("/proof: ");
  }
}
