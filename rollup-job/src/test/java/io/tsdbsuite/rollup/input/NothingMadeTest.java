package io.tsdbsuite.rollup.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.report.SkipReason;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.junit.jupiter.api.Test;

class NothingMadeTest {
  private static final RollupConfig CONFIG =
      RollupConfig.parse(
          """
          {"aggregationIds": {"sum": 0, "count": 2, "min": 3, "max": 4}, "intervals": [
            {"table": "t0", "preAggregationTable": "p0", "interval": "1m", "rowSpan": "1h",
             "defaultInterval": true},
            {"table": "t1", "preAggregationTable": "p1", "interval": "1h", "rowSpan": "1d"}]}
          """);

  private static RollupOptions options(long from, long to, boolean allowEmpty) {
    return new RollupOptions(
        "file:///backup",
        "data",
        UidSettings.ofSnapshot("uids"),
        StorageSchema.defaults(),
        new RollupIntervals(List.of(CONFIG.interval("1h"))),
        new Window(from, to),
        HoldBack.none(),
        MetricPatterns.all(),
        1,
        new Tolerance(new FailureLimits(0, 0), false, false, allowEmpty),
        null,
        AsOf.SNAPSHOT,
        false);
  }

  private static Snapshot snapshot(StoreFile... files) {
    SnapshotRegion region = new SnapshotRegion("r", new byte[0], new byte[0], List.of(files));
    return new Snapshot("data", "tsdb", 0, true, null, null, null, List.of(region));
  }

  private static final Snapshot WITH_DATA = snapshot(StoreFile.newBuilder().setName("f").build());

  private static String finding(RollupOptions options, Snapshot data, long emitted) {
    Books books = new Books();
    books.rowRead();
    books.rowSkipped(SkipReason.OUTSIDE_WINDOW, 0);
    return CompleteInput.nothingMade(options, data, books, emitted, "emitted").orElse("");
  }

  @Test
  void nothingOfATableWithDataIsNoGoodEnd() {
    assertThat(finding(options(0, 3600, false), WITH_DATA, 0))
        .contains(
            "nothing was emitted though table tsdb has data (1 rows read, 1 skipped, 0 failed)",
            "salt of --tsd-config",
            "--allow-empty");
  }

  @Test
  void somethingIsEnough() {
    assertThat(finding(options(0, 3600, false), WITH_DATA, 1)).isEmpty();
  }

  @Test
  void whoSaysSoMayHaveNothing() {
    assertThat(finding(options(0, 3600, true), WITH_DATA, 0)).isEmpty();
  }

  @Test
  void aTableWithoutDataHasNothingToEmit() {
    assertThat(finding(options(0, 3600, false), snapshot(), 0)).isEmpty();
  }

  /** Only what has changed was wanted, and nothing has. */
  @Test
  void withoutAWindowNothingMayHaveChanged() {
    assertThat(finding(options(3600, 3600, false), WITH_DATA, 0)).isEmpty();
  }
}
