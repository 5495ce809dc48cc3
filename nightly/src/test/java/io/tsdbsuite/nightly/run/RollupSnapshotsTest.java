package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollupSnapshotsTest {
  @TempDir private Path dir;

  private Context context(String suite) throws IOException {
    Path rollups =
        Files.writeString(
            dir.resolve("rollup_config.json"),
            """
            {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
            {"table":"tsdb","preAggregationTable":"preagg","interval":"1m","rowSpan":"1h",
             "defaultInterval":true},
            {"table":"ns:r-1h","preAggregationTable":"a-1h","interval":"1h","rowSpan":"1d"},
            {"table":"r-6h","preAggregationTable":"a-6h","interval":"6h","rowSpan":"1n"},
            {"table":"r-1d","preAggregationTable":"a-1d","interval":"1d","rowSpan":"1n"}]%s}
            """
                .formatted(suite));
    return new StubNight(dir)
        .tsd("tsd.rollups.config = " + rollups)
        .set("job.options", "--interval 1h,1d")
        .context();
  }

  @Test
  void aTableOfEachInterval() throws IOException {
    Context context = context("");
    assertThat(RollupSnapshots.ofRuns(context).shown())
        .containsExactly(
            "rollup-nightly-verify-OWNER-0-ns-r-1h", "rollup-nightly-verify-OWNER-1-r-1d");
    assertThat(RollupSnapshots.ofProof(context).shown())
        .containsExactly(
            "rollup-nightly-tiers-OWNER-20261121T020000-0-ns-r-1h",
            "rollup-nightly-tiers-OWNER-20261121T020000-1-r-6h",
            "rollup-nightly-tiers-OWNER-20261121T020000-2-r-1d");
  }

  /** verify refuses a snapshot too many, and one too few: 6h has a table, and no histograms. */
  @Test
  void histogramTablesToo() throws IOException {
    Context context =
        context(
            """
            ,"suite":{"histograms":[{"metrics":"*.latency","intervals":"1d"},
             {"metrics":"app.*","intervals":"1h,1d"}],
             "histogramTables":{"1h":"h-1h","6h":"h-6h","1d":"preagg"}}
            """);
    assertThat(RollupSnapshots.ofRuns(context).shown())
        .containsExactly(
            "rollup-nightly-verify-OWNER-0-ns-r-1h",
            "rollup-nightly-verify-OWNER-1-h-1h",
            "rollup-nightly-verify-OWNER-2-r-1d",
            "rollup-nightly-verify-OWNER-3-preagg");
    assertThat(RollupSnapshots.ofProof(context).shown())
        .containsExactly(
            "rollup-nightly-tiers-OWNER-20261121T020000-0-ns-r-1h",
            "rollup-nightly-tiers-OWNER-20261121T020000-1-h-1h",
            "rollup-nightly-tiers-OWNER-20261121T020000-2-r-6h",
            "rollup-nightly-tiers-OWNER-20261121T020000-3-r-1d",
            "rollup-nightly-tiers-OWNER-20261121T020000-4-preagg");
  }

  /** Of the intervals that are verified; proofs compare plain rows. */
  @Test
  void packedTablesForVerify() throws IOException {
    Context context = context(",\"suite\":{\"packed\":{\"1h\":\"ns:k-1h\",\"6h\":\"k-6h\"}}");
    assertThat(RollupSnapshots.ofRuns(context).shown())
        .containsExactly(
            "rollup-nightly-verify-OWNER-0-ns-r-1h",
            "rollup-nightly-verify-OWNER-1-ns-k-1h",
            "rollup-nightly-verify-OWNER-2-r-1d");
    assertThat(RollupSnapshots.ofProof(context).shown()).hasSize(3);
  }
}
