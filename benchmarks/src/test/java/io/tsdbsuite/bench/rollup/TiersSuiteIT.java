package io.tsdbsuite.bench.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.bench.measure.Report;
import io.tsdbsuite.bench.measure.Trial;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The benchmark runs in a small size: a day is proven and deleted, and its bytes are freed. */
@Tag("slow")
class TiersSuiteIT {
  @Test
  void aDayIsMeasured() throws Exception {
    TiersSuite suite = new TiersSuite();
    Report report = new Report("make bench-tiers");
    suite.run(Trial.of(suite, List.of("0.01", "1")), report);
    assertThat(report.section())
        .contains("3 days of 432,000 points", "| tiers prove | ", "| tiers apply | ")
        .contains("| before apply | ", "| and after the snapshot was deleted | ")
        // The estimate of the plan is what was freed.
        .contains("| at most 5 % | ", " % | yes |");
  }
}
