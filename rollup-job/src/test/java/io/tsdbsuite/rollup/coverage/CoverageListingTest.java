package io.tsdbsuite.rollup.coverage;

import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY0;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.HOUR;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.NOW;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.days;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tsdbsuite.coverage.Coverage;
import io.tsdbsuite.coverage.CoverageReader;
import io.tsdbsuite.coverage.CoverageWindow;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.job.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoverageListingTest {
  private static final CoverageBounds ALL =
      new CoverageBounds(
          Set.of(), CoverageBounds.BEGINNING, CoverageBounds.END, List.of(), Set.of());

  /** With an id of p99 and without one of p50. */
  private static final String P99 =
      """
      {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4,"p99":7,"first":8},"intervals":[
        {"table":"tsdb","preAggregationTable":"tsdb","interval":"1m","rowSpan":"1h",
          "defaultInterval":true},
        {"table":"r-1h","preAggregationTable":"r-1h","interval":"1h","rowSpan":"1d"},
        {"table":"r-1d","preAggregationTable":"r-1d","interval":"1d","rowSpan":"1n"}],
       "suite":{"values":[{"metrics":"sys.*","intervals":"1h","aggregators":"p99"}]}}
      """;

  private static final RollupConfig WITH_P99 = RollupConfig.parse(P99);

  private static CoverageListing listing(Coverage coverage, CoverageBounds bounds) {
    return new CoverageListing("tsdb-coverage", "2", coverage, StoredCoverage.ROLLUPS, bounds, NOW);
  }

  private static List<String> lines(StoredCoverage stored, CoverageBounds bounds) {
    return listing(stored.read(), bounds).report().table().toString().lines().toList();
  }

  @Test
  void windowsWithWhatIsProvenAndWhatIsNot() {
    StoredCoverage stored =
        new StoredCoverage()
            .with(days("1h", 0, 1, "a"))
            .with(days("1h", 1, 2, "b"))
            .with(days("1h", 3, 4, "c"))
            .with(days("1h", 2, 3, "d", "sys.*"))
            .with(days("1h", 0, 1, "e").raised((DAY0 + 3 * DAY) * 1000, "e"));
    assertThat(lines(stored, ALL))
        .containsExactly(
            "coverage table     tsdb-coverage",
            "version            2",
            "interval           1h, table r-1h",
            "  window           1h, 2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z, as of"
                + " 2025-11-20T00:05:00Z, writer a",
            "  window           1h, 2025-11-20T00:00:00Z to 2025-11-21T00:00:00Z, as of"
                + " 2025-11-21T00:05:00Z, writer b",
            "  window           1h, 2025-11-22T00:00:00Z to 2025-11-23T00:00:00Z, as of"
                + " 2025-11-23T00:05:00Z, writer c",
            "  window           1h, 2025-11-21T00:00:00Z to 2025-11-22T00:00:00Z, as of"
                + " 2025-11-22T00:05:00Z, metrics sys.*, writer d",
            "  window           1h, 2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z, as of"
                + " 2025-11-22T00:00:00Z, all rows as of 2025-11-20T00:05:00Z, writer e",
            "  proven           2025-11-19T00:00:00Z to 2025-11-21T00:00:00Z, metrics *",
            "  proven           2025-11-22T00:00:00Z to 2025-11-23T00:00:00Z, metrics *",
            "  hole             2025-11-21T00:00:00Z to 2025-11-22T00:00:00Z, metrics *",
            // What is of all metrics is of these, too.
            "  proven           2025-11-19T00:00:00Z to 2025-11-23T00:00:00Z, metrics sys.*",
            "interval           1d, table r-1d");
  }

  @Test
  void whyAWindowDoesNotCount() {
    CoverageWindow short1d =
        CoverageWindow.of(
            "1d", DAY0 + HOUR, DAY0 + DAY, "short", "r-1d", (DAY0 + DAY) * 1000, "*", "a test");
    CoverageWindow other =
        CoverageWindow.of("1d", DAY0, DAY0 + DAY, "other", "old", (DAY0 + DAY) * 1000, "*", "a");
    CoverageWindow unknown =
        CoverageWindow.of("6h", DAY0, DAY0 + DAY, "six", "r-6h", (DAY0 + DAY) * 1000, "*", "a");
    StoredCoverage stored =
        new StoredCoverage()
            .truncated("r-1h")
            .with(days("1h", 0, 1, "a"))
            .with(short1d)
            .with(other)
            .with(unknown)
            .with(days("1d", 1, 2, "gone").expiring(NOW + 5 * Coverage.MAX_AGE));
    assertThat(lines(stored, ALL))
        .filteredOn(line -> line.contains("not counted") || line.contains("proven"))
        .containsExactly(
            "    not counted    the table has no marker: it is new, or was truncated or made again",
            "    not counted    no whole interval lies in it",
            "    not counted    rollup_config.json names the table r-1d",
            "    not counted    HBase has removed its first rollups (TTL), or does so within 5"
                + " minutes",
            "    not counted    rollup_config.json does not have the interval, or it does not"
                + " divide the day");
    assertThat(lines(stored, ALL)).contains("interval           6h, not read by TSDs");
  }

  /** What the suite selects is listed also without windows; other ids are not. */
  @Test
  void levels() {
    StoredCoverage stored =
        new StoredCoverage()
            .levels()
            .with(days("1h", 0, 1, "a"))
            .with(days("1h.p99", 0, 1, "a", "sys.*"))
            .with(days("1h.p50", 0, 1, "a", "sys.*"))
            .mask(DAY0 + 5 * HOUR, "sys.cpu", StoredCoverage.LATE, NOW);
    CoverageBounds bounds =
        new CoverageBounds(Set.of("1h"), DAY0, DAY0 + DAY, List.of("sys.cpu"), Set.of());
    Coverage coverage = stored.read(WITH_P99);
    CoverageListing listing =
        new CoverageListing("tsdb-coverage", "3", coverage, WITH_P99, bounds, NOW);
    assertThat(listing.report().table().toString().lines())
        .filteredOn(line -> !line.contains("window") && !line.startsWith("mask"))
        .containsExactly(
            "coverage table     tsdb-coverage",
            "version            3",
            "interval           1h, table r-1h",
            "  proven           2025-11-19T00:00:00Z to 2025-11-19T05:00:00Z, metrics sys.cpu",
            "  proven           2025-11-19T06:00:00Z to 2025-11-20T00:00:00Z, metrics sys.cpu",
            "  hole             2025-11-19T05:00:00Z to 2025-11-19T06:00:00Z, metrics sys.cpu",
            "interval           1h.p99, table r-1h",
            "  proven           2025-11-19T00:00:00Z to 2025-11-19T05:00:00Z, metrics sys.cpu",
            "  proven           2025-11-19T06:00:00Z to 2025-11-20T00:00:00Z, metrics sys.cpu",
            "  hole             2025-11-19T05:00:00Z to 2025-11-19T06:00:00Z, metrics sys.cpu",
            "interval           1h.p50, not read by TSDs",
            "    not counted    rollup_config.json has no id for p50, or this release does not know"
                + " it");
    assertThat(
            new CoverageListing(
                    "tsdb-coverage", "3", new StoredCoverage().read(WITH_P99), WITH_P99, ALL, NOW)
                .report()
                .table()
                .toString()
                .lines())
        .filteredOn(line -> line.startsWith("interval"))
        .containsExactly(
            "interval           1h, table r-1h",
            "interval           1h.p99, table r-1h",
            "interval           1d, table r-1d");
  }

  @Test
  void packedRowsWithoutATable() {
    StoredCoverage stored = new StoredCoverage().levels().with(days("1h.packed", 0, 1, "a"));
    assertThat(
            new CoverageListing("tsdb-coverage", "3", stored.read(WITH_P99), WITH_P99, ALL, NOW)
                .report()
                .table()
                .toString()
                .lines())
        .contains(
            "interval           1h.packed, not read by TSDs",
            "    not counted    suite.packed of rollup_config.json has no table of 1h");
  }

  @Test
  void histograms() {
    StoredCoverage stored = new StoredCoverage().levels().with(days("1h.histogram", 0, 1, "a"));
    assertThat(
            new CoverageListing("tsdb-coverage", "3", stored.read(WITH_P99), WITH_P99, ALL, NOW)
                .report()
                .table()
                .toString()
                .lines())
        .contains(
            "interval           1h.histogram, not read by TSDs",
            "    not counted    suite.histogramTables of rollup_config.json has no table of 1h");
    RollupConfig config =
        RollupConfig.parse(
            P99.replace(
                "\"values\":[{\"metrics\":\"sys.*\",\"intervals\":\"1h\",\"aggregators\":\"p99\"}]",
                "\"histograms\":[{\"metrics\":\"sys.*\",\"intervals\":\"1h\"}],"
                    + "\"histogramTables\":{\"1h\":\"h-1h\"}"));
    assertThat(
            new CoverageListing("tsdb-coverage", "3", stored.read(config), config, ALL, NOW)
                .report()
                .table()
                .toString()
                .lines())
        .filteredOn(line -> !line.contains("window") && !line.contains("table tsdb"))
        .containsSubsequence(
            "interval           1h, table r-1h",
            "interval           1h.histogram, table h-1h",
            "    not counted    rollup_config.json names the table h-1h",
            "interval           1d, table r-1d");
  }

  /** What counts by the listing is what counts by the reader. */
  @Test
  void agreesWithTheReader() {
    StoredCoverage stored =
        new StoredCoverage()
            .with(days("1h", 0, 1, "a"))
            .with(days("1h", 2, 3, "b").expiring(NOW + 5 * Coverage.MAX_AGE + 1))
            .with(days("1h", 4, 5, "c").expiring(NOW + 5 * Coverage.MAX_AGE));
    Coverage coverage = stored.read();
    assertThat(coverage.proven("1h", HOUR * 1000, "any").size()).isEqualTo(2);
    assertThat(lines(stored, ALL)).filteredOn(line -> line.contains("not counted")).hasSize(1);
  }

  @Test
  void ofAMetricWithItsMasks() {
    StoredCoverage stored =
        new StoredCoverage()
            .with(days("1h", 0, 2, "a", "sys.*"))
            .with(days("1h", 0, 2, "b", "net.*"))
            .mask(DAY0 + 5 * HOUR, "sys.cpu", StoredCoverage.LATE, NOW)
            .mask(DAY0 + 5 * HOUR, "net.in", StoredCoverage.LATE, NOW);
    CoverageBounds bounds =
        new CoverageBounds(Set.of("1h"), DAY0 + 4 * HOUR, DAY0 + DAY, List.of("sys.cpu"), Set.of());
    assertThat(lines(stored, bounds))
        .filteredOn(line -> !line.contains("window"))
        .containsExactly(
            "coverage table     tsdb-coverage",
            "version            2",
            "interval           1h, table r-1h",
            "  proven           2025-11-19T00:00:00Z to 2025-11-19T05:00:00Z, metrics sys.cpu",
            "  proven           2025-11-19T06:00:00Z to 2025-11-21T00:00:00Z, metrics sys.cpu",
            "  hole             2025-11-19T05:00:00Z to 2025-11-19T06:00:00Z, metrics sys.cpu",
            "mask               late, 2025-11-19T05:00:00Z to 2025-11-19T06:00:00Z, metric sys.cpu,"
                + " written 2025-12-19T00:00:00Z");
    assertThat(lines(stored, bounds)).filteredOn(line -> line.contains("window")).hasSize(1);
  }

  @Test
  void floorsAndTheMasksThatTheyVoid() throws IOException {
    StoredCoverage stored =
        new StoredCoverage()
            .floor("raw", "app", DAY0 + 2 * DAY, "app.*")
            .floor("1h", "web", DAY0 + DAY, "web.*")
            .with(days("1h", 0, 5, "a"))
            .mask(DAY0 + 5 * HOUR, "app.x", StoredCoverage.LATE, NOW)
            .mask(DAY0 + 2 * DAY, "app.x", StoredCoverage.LATE, NOW)
            .mask(DAY0 + 5 * HOUR, "web.x", StoredCoverage.LATE, NOW)
            .mask(DAY0 + 5 * HOUR, "*", "late/*", NOW);
    String ofApp =
        "floor              raw, before 2025-11-21T00:00:00Z, metrics app.*, as of"
            + " 2025-12-19T00:00:00Z, writer app, evidence a proof";
    String voided =
        "mask               late, 2025-11-19T05:00:00Z to 2025-11-19T06:00:00Z, metric app.x,"
            + " written 2025-12-19T00:00:00Z, void below the floor";
    assertThat(lines(stored, ALL))
        .filteredOn(line -> line.startsWith("floor") || line.startsWith("mask"))
        .hasSize(6)
        .contains(ofApp, voided)
        .filteredOn(line -> line.contains("void"))
        .hasSize(1);
    assertThat(lines(stored, of("app.x")))
        .filteredOn(line -> line.startsWith("floor") || line.startsWith("mask"))
        .containsExactly(
            ofApp,
            "mask               late, 2025-11-21T00:00:00Z to 2025-11-21T01:00:00Z, metric app.x,"
                + " written 2025-12-19T00:00:00Z");
    assertThat(lines(stored, of("web.x")))
        .filteredOn(line -> line.startsWith("floor") || line.startsWith("mask"))
        .hasSize(3);
    JsonNode json = new ObjectMapper().readTree(listing(stored.read(), ALL).report().jsonText());
    assertThat(json.at("/version").textValue()).isEqualTo("2");
    assertThat(json.at("/floors/0").toString())
        .isEqualTo(
            "{\"level\":\"raw\",\"before\":\"2025-11-21T00:00:00Z\",\"metrics\":\"app.*\","
                + "\"asOf\":\"2025-12-19T00:00:00Z\",\"writer\":\"app\",\"evidence\":\"a proof\"}");
    assertThat(json.at("/masks").findValuesAsText("void"))
        .containsExactlyInAnyOrder("true", "false", "false", "false");
  }

  private static CoverageBounds of(String metric) {
    return new CoverageBounds(
        Set.of(), CoverageBounds.BEGINNING, CoverageBounds.END, List.of(metric), Set.of());
  }

  @Test
  void asJson() throws IOException {
    StoredCoverage stored =
        new StoredCoverage()
            .with(days("1h", 0, 1, "a"))
            .with(days("1h", 2, 3, "b").expiring(NOW))
            .mask(DAY0, "sys.cpu", StoredCoverage.LATE, NOW);
    CoverageBounds bounds = new CoverageBounds(Set.of(), DAY0, DAY0 + 2 * DAY, List.of(), Set.of());
    JsonNode json = new ObjectMapper().readTree(listing(stored.read(), bounds).report().jsonText());
    assertThat(json.at("/report").textValue()).isEqualTo("rollup-job coverage list");
    assertThat(json.at("/reason").textValue()).isEmpty();
    assertThat(json.at("/intervals/0/windows")).hasSize(1);
    assertThat(json.at("/intervals/0/windows/0/counts").booleanValue()).isTrue();
    assertThat(json.at("/intervals/0/windows/0/evidence").textValue()).isEqualTo("a test");
    assertThat(json.at("/intervals/0/proven/0/metrics").textValue()).isEqualTo("*");
    assertThat(json.at("/intervals/0/proven/0/windows/0/to").textValue())
        .isEqualTo("2025-11-20T00:00:00Z");
    assertThat(json.at("/intervals/0/proven/0/holes/0/to").textValue())
        .isEqualTo("2025-11-21T00:00:00Z");
    assertThat(json.at("/masks/0/metric").textValue()).isEqualTo("sys.cpu");
  }

  @Test
  void bothFormsAreAsTheFiles() throws IOException {
    StoredCoverage stored =
        new StoredCoverage()
            .with(days("1h", 0, 1, "a").raised((DAY0 + 3 * DAY) * 1000, "raised"))
            .with(days("1h", 2, 3, "b", "sys.*").expiring(NOW + 6 * Coverage.MAX_AGE))
            .with(days("1h", 5, 6, "c").expiring(NOW + 5 * Coverage.MAX_AGE))
            .with(
                CoverageWindow.of(
                    "6h", DAY0, DAY0 + DAY, "six", "r-6h", (DAY0 + DAY) * 1000, "*", "a"))
            .mask(DAY0 + 5 * HOUR, "sys.cpu", StoredCoverage.LATE, NOW)
            .mask(DAY0 + 6 * HOUR, "net.in", StoredCoverage.LATE, NOW - 1);
    Report listing = listing(stored.read(), ALL).report();
    Path files = Path.of("src/test/resources/reports");
    assertThat(listing.jsonText()).isEqualTo(Files.readString(files.resolve("coverage-list.json")));
    assertThat(listing.table().toString())
        .isEqualTo(Files.readString(files.resolve("coverage-list.txt")));
  }

  @Test
  void aTableThatIsEmptyOrBroken() {
    assertThat(listing(Coverage.nothing(CoverageReader.EMPTY), ALL).report().table().toString())
        .contains("nothing proven     the table is empty");
    assertThatThrownBy(() -> listing(Coverage.nothing("row x: a rule"), ALL))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("TSDs read raw data: row x: a rule")
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
  }
}
