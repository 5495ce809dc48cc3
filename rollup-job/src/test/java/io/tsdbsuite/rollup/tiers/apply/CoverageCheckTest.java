package io.tsdbsuite.rollup.tiers.apply;

import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY0;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.days;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.metric.Glob;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.coverage.StoredCoverage;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.proof.Proof;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CoverageCheckTest {
  private RollupConfig rollups = StoredCoverage.suite();
  private static final Policy.Entry ENTRY =
      new Policy.Entry("app.*", new Glob("app.*"), Map.of("raw", 30), 0);

  private final StoredCoverage stored =
      new StoredCoverage().levels().with(days("1h", 0, 1, "run", "*"));

  private List<String> problems() {
    ApplyOptions options =
        new ApplyOptions(
            "",
            Policy.RAW,
            new Policy(List.of(ENTRY), ""),
            "",
            "",
            "",
            null,
            StorageSchema.defaults(),
            rollups,
            HistogramCodecs.NONE,
            "cover",
            Duration.ZERO,
            null);
    Proof.Source source = new Proof.Source("r-1h", "s", Instant.ofEpochSecond(DAY0 + 20 * DAY), "");
    Proof proof =
        new Proof(
            Proof.FORMAT_OF_SUITE,
            "",
            new Proof.Selection(1, "app.*", List.of("app.*"), new TreeMap<>(ENTRY.keep()), ""),
            "",
            new TreeMap<>(),
            new TreeMap<>(),
            rollups.suite().text(),
            false,
            Policy.RAW,
            Instant.ofEpochSecond(DAY0),
            Instant.ofEpochSecond(DAY0 + DAY),
            new TreeMap<>(),
            new TreeMap<>(),
            source,
            Map.of("1h", source),
            Proof.Verified.NONE,
            Proof.Series.NONE,
            Instant.EPOCH);
    TierTable table = options.table();
    ProvenRows rows =
        new ProvenRows(
            ENTRY,
            table,
            proof,
            null,
            new TreeMap<>(Map.of(1L, "app.a", 2L, "app.b")),
            null,
            null,
            null,
            false,
            false);
    List<String> problems = new ArrayList<>();
    new CoverageCheck(options, table, null).covered(rows, stored.read(rollups), false, problems);
    return problems;
  }

  /** No window of 1h.p99 could ever be added below the floor. */
  @Test
  void whatTheSuiteSelectsMustBeProven() {
    assertThat(problems())
        .containsExactly(
            "table cover must prove the 1h.p99 rollups of the day, found that it does not for app.a"
                + " from 2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z: raise the table's version to"
                + " 3 (rollup-job coverage upgrade --levels), then run coverage add with the report"
                + " of the run that has made them, at most 7 days old, or roll up again");
    stored.with(days("1h.p99", 0, 1, "run", "app.a"));
    assertThat(problems()).isEmpty();
  }

  /** Else the histograms of raw rows would go, and nothing would have them. */
  @Test
  void theHistogramsOfTheSuiteMustBeProven() {
    rollups =
        RollupConfig.parse(
            """
            {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
            {"table":"tsdb","preAggregationTable":"tsdb","interval":"1m","rowSpan":"1h",\
            "defaultInterval":true},
            {"table":"r-1h","preAggregationTable":"r-1h","interval":"1h","rowSpan":"1d"}],
            "suite":{"histograms":[{"metrics":"app.b","intervals":"1h"}],\
            "histogramTables":{"1h":"h-1h"}}}
            """);
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith(
            "table cover must prove the 1h.histogram rollups of the day, found that it does not for"
                + " app.b from 2025-11-19T00:00:00Z");
  }
}
