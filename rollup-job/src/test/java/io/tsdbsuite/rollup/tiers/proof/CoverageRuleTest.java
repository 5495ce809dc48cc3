package io.tsdbsuite.rollup.tiers.proof;

import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY0;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.days;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.rollup.coverage.StoredCoverage;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.tiers.TiersOptions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CoverageRuleTest {
  private static final RollupConfig ROLLUPS = StoredCoverage.suite();
  private static final Proof PROOF = ProofStoreTest.proof();

  private final StoredCoverage stored =
      new StoredCoverage().levels().with(days("1h", 0, 1, "run", "*"));

  private String uncovered(String metric) {
    TiersOptions tiers =
        new TiersOptions(
            new Policy(List.of(), ""),
            "",
            "",
            "",
            List.of(),
            StorageSchema.defaults(),
            ROLLUPS,
            HistogramCodecs.NONE,
            false,
            null,
            0);
    // As the command makes it: the intervals know no suite.
    ProveOptions options =
        new ProveOptions(
            tiers,
            new RollupIntervals(List.of(ROLLUPS.interval("1h"))),
            1,
            null,
            null,
            0,
            false,
            1,
            "");
    Evidence evidence =
        new Evidence(
            "1m",
            null,
            PROOF.cluster(),
            PROOF.schema(),
            PROOF.aggregatorIds(),
            ROLLUPS.suite().text(),
            false,
            PROOF.data(),
            Map.of());
    int day = (int) (DAY0 / DAY);
    return new CoverageRule(options, stored.read(ROLLUPS))
        .uncovered(
            new ProofDay(evidence, day, day + 1, PROOF.policy(), "", Instant.MIN, false),
            List.of(metric));
  }

  /** No window of 1h.p99 could ever be added below the floor of raw data. */
  @Test
  void whatTheSuiteSelectsMustBeProven() {
    assertThat(uncovered("app.b")).isEmpty();
    assertThat(uncovered("app.a"))
        .startsWith(
            "the coverage table must prove the rollups of 1h.p99, found that it does not for app.a"
                + " from 2025-11-19T00:00:00Z to 2025-11-20T00:00:00Z: ")
        .contains("coverage upgrade --levels", "coverage add");
    stored.with(days("1h.p99", 0, 1, "run", "app.a"));
    assertThat(uncovered("app.a")).isEmpty();
  }
}
