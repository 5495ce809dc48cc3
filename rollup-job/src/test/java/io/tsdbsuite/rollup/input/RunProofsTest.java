package io.tsdbsuite.rollup.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.RunProof;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What a run proves: in doubt nothing. */
class RunProofsTest {
  private static final long HOUR = 3600;
  private static final long DAY = 24 * HOUR;

  /** A midnight. */
  private static final long FROM = 1_763_510_400;

  private static final Instant TAKEN = Instant.ofEpochSecond(FROM + DAY + HOUR);
  private static final Tolerance ALL = new Tolerance(9, true, true, true);

  private static Snapshot snapshot(int ttlDays, boolean flushed) {
    int ttl = ttlDays == 0 ? HConstants.FOREVER : ttlDays * (int) DAY;
    return new Snapshot(
        "night",
        "tsdb",
        TAKEN.toEpochMilli(),
        flushed,
        new Configuration(false),
        null,
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t")).setTimeToLive(ttl).build(),
        List.of());
  }

  private static RollupOptions options(long to, ChangedSince since, String... intervals) {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
            {"table":"r1m","preAggregationTable":"p1m","interval":"1m","rowSpan":"1h",
            "defaultInterval":true},
            {"table":"r1h","preAggregationTable":"p1h","interval":"1h","rowSpan":"1d"},
            {"table":"r1d","preAggregationTable":"p1d","interval":"1d","rowSpan":"1y"}]}
            """);
    RollupOptions.Builder options =
        RollupOptions.builder()
            .snapshotRoot("file:///root")
            .dataSnapshot("night")
            .uids(UidSettings.NONE)
            .schema(StorageSchema.defaults())
            .intervals(new RollupIntervals(Arrays.stream(intervals).map(config::interval).toList()))
            .from(FROM)
            .to(to)
            .holdBack(HoldBack.none())
            .partitionBytes(1)
            .tolerance(ALL);
    return (since == null ? options : options.changedSince(since)).build();
  }

  private static RollupOptions day(ChangedSince since) {
    return options(FROM + DAY, since, "1h", "1d");
  }

  private static ChangedSince since(Instant time, boolean allowLost, Set<String> files) {
    return new ChangedSince(time, "tsdb", 100, allowLost, files);
  }

  @Test
  void aRunWithoutFaultProvesItsWindow() {
    Books books = new Books();
    books.rowRead();
    books.rowEmitted(60, 0);
    RunProof proof = RunProofs.of(day(null), snapshot(0, true), books);
    assertThat(proof.gaps()).isEmpty();
    assertThat(proof.readAsOf()).isEqualTo(TAKEN);
    assertThat(proof.refresh()).isNull();
  }

  @Test
  void anyFailureIsAGap() {
    for (FailReason reason : FailReason.values()) {
      Books books = new Books();
      if (reason.isOfDay()) {
        books.dayFailed(reason, () -> "a day");
      } else {
        books.rowFailed(reason, 0, "a row");
      }
      assertThat(RunProofs.of(day(null), snapshot(0, true), books).gaps())
          .as("%s", reason)
          .containsExactly("1 rows or days failed (" + reason.text() + ")");
    }
  }

  @Test
  void rowsThatVanishedAndNaNAreGaps() {
    Books books = new Books();
    books.rowVanished("a row");
    books.rowEmitted(60, 1);
    assertThat(RunProofs.of(day(null), snapshot(0, true), books).gaps())
        .hasSize(2)
        .anyMatch(gap -> gap.contains("stored rollups of deleted points"))
        .anyMatch(gap -> gap.contains("NaN"));
  }

  @Test
  void incompleteInputIsAGap() {
    Books books = new Books();
    assertThat(RunProofs.of(day(null), snapshot(0, false), books).gaps().get(0))
        .contains("SKIP_FLUSH");
    assertThat(RunProofs.of(day(null), snapshot(1, true), books).gaps().get(0)).contains("TTL");
    assertThat(RunProofs.of(day(null), snapshot(30, true), books).gaps()).isEmpty();
    RollupOptions late = options(FROM + DAY + 2 * HOUR, null, "1h");
    assertThat(RunProofs.of(late, snapshot(0, true), books).gaps().get(0))
        .contains("after the data snapshot");
  }

  @Test
  void theSearchForChangedRowsProvesARefresh() {
    Instant margin = Instant.ofEpochSecond(FROM - 300);
    RunProof.Refresh refresh =
        RunProofs.of(day(since(margin, false, Set.of())), snapshot(0, true), new Books()).refresh();
    assertThat(refresh)
        .isEqualTo(new RunProof.Refresh(Instant.EPOCH, Instant.ofEpochSecond(FROM - 240)));
  }

  @Test
  void aSearchThatMayMissRowsProvesNoRefresh() {
    Instant time = Instant.ofEpochSecond(FROM);
    for (ChangedSince since : List.of(since(time, true, Set.of()), since(time, false, null))) {
      assertThat(RunProofs.of(day(since), snapshot(0, true), new Books()).refresh()).isNull();
    }
    ChangedSince now = since(TAKEN, false, Set.of());
    assertThat(RunProofs.of(day(now), snapshot(0, true), new Books()).refresh()).isNull();
  }

  @Test
  void hoursThatTheTtlMayHaveBittenAreNotRefreshed() {
    ChangedSince since = since(Instant.ofEpochSecond(FROM), false, Set.of());
    // The snapshot was taken at 1:00; a day of margin.
    RunProof.Refresh hours =
        RunProofs.of(options(FROM + DAY, since, "1h"), snapshot(10, true), new Books()).refresh();
    assertThat(hours.from()).isEqualTo(Instant.ofEpochSecond(FROM - 8 * DAY + HOUR));
    RunProof.Refresh days = RunProofs.of(day(since), snapshot(10, true), new Books()).refresh();
    assertThat(days.from()).isEqualTo(Instant.ofEpochSecond(FROM - 7 * DAY));
    assertThat(RunProofs.of(day(since), snapshot(2, true), new Books()).refresh()).isNull();
  }
}
