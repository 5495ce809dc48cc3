package io.tsdbsuite.rollup.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.Books;
import io.tsdbsuite.rollup.report.FailReason;
import io.tsdbsuite.rollup.report.FailureLimits;
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
  private static final Tolerance ALL = new Tolerance(new FailureLimits(0, 9), true, true, true);

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
    return options(to, since, AsOf.SNAPSHOT, intervals);
  }

  private static RollupOptions options(
      long to, ChangedSince since, AsOf asOf, String... intervals) {
    RollupConfig config =
        RollupConfig.parse(
            """
            {"aggregationIds":{"sum":0,"count":2,"min":3,"max":4},"intervals":[
            {"table":"r1m","preAggregationTable":"p1m","interval":"1m","rowSpan":"1h",
            "defaultInterval":true},
            {"table":"r1h","preAggregationTable":"p1h","interval":"1h","rowSpan":"1d"},
            {"table":"r1d","preAggregationTable":"p1d","interval":"1d","rowSpan":"1y"}]}
            """);
    return new RollupOptions(
        "file:///root",
        "night",
        UidSettings.NONE,
        StorageSchema.defaults(),
        new RollupIntervals(Arrays.stream(intervals).map(config::interval).toList()),
        new Window(FROM, to),
        HoldBack.none(),
        MetricPatterns.all(),
        1,
        ALL,
        since,
        asOf,
        false);
  }

  private static RollupOptions day(ChangedSince since) {
    return options(FROM + DAY, since, "1h", "1d");
  }

  private static ChangedSince since(Instant time, boolean allowLost, Set<String> files) {
    return new ChangedSince(time, time.plusSeconds(120), "tsdb", 100, allowLost, files, null);
  }

  private static RunProof proof(RollupOptions options, Snapshot data, Books books) {
    return RunProofs.of(options, data, books, false);
  }

  private static RunProof.OddMetric odd(long uid, long hour) {
    return new RunProof.OddMetric(uid, hour, hour + HOUR);
  }

  @Test
  void aRunWithoutFaultProvesItsWindow() {
    Books books = new Books();
    books.rowRead();
    books.rowEmitted(60, 0);
    RunProof proof = proof(day(null), snapshot(0, true), books);
    assertThat(proof.gaps()).isEmpty();
    assertThat(proof.readAsOf()).isEqualTo(TAKEN);
    assertThat(proof.refreshes()).isEmpty();
  }

  /** A repair between the snapshot and the run would be hidden, and its mask is gone. */
  @Test
  void rollupsThatMayHideRepairsAreAGap() {
    RollupOptions now = options(FROM + DAY, null, AsOf.NOW, "1h");
    assertThat(proof(now, snapshot(0, true), new Books()).gaps())
        .containsExactly(
            "the rollups may hide repairs that came after the data snapshot (--as-of now)");
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
      assertThat(proof(day(null), snapshot(0, true), books).gaps())
          .as("%s", reason)
          .containsExactly("1 rows or days failed (" + reason.text() + ")");
    }
  }

  @Test
  void rowsThatVanishedAndNaNAreGaps() {
    Books books = new Books();
    books.rowVanished("a row");
    books.rowEmitted(60, 1);
    assertThat(proof(day(null), snapshot(0, true), books).gaps())
        .hasSize(2)
        .anyMatch(gap -> gap.contains("stored rollups of deleted points"))
        .anyMatch(gap -> gap.contains("NaN"));
  }

  @Test
  void pointsThatMayDifferCostTheirMetrics() {
    Books books = new Books();
    books.rowEmitted(60, 1);
    books.contents(60, 1, 1);
    books.oddMetric(odd(7, FROM));
    books.oddMetric(odd(8, FROM));
    books.oddMetric(odd(7, FROM - DAY));
    RunProof proof = proof(day(null), snapshot(0, true), books);
    assertThat(proof.gaps()).isEmpty();
    assertThat(proof.oddMetrics())
        .containsExactly(new RunProof.OddMetric(7, FROM - DAY, FROM + HOUR), odd(8, FROM));
    for (long uid = 0; uid < 100; uid++) {
      books.oddMetric(odd(uid, FROM));
    }
    RunProof many = proof(day(null), snapshot(0, true), books.copy());
    assertThat(many.gaps()).hasSize(2);
    assertThat(many.oddMetrics()).isEmpty();
  }

  /** Histograms that are too wide or mixed leave the four values proven. */
  @Test
  void oddHistogramsAreNoGapOfTheRun() {
    Books books = new Books();
    for (long uid = 0; uid < 50; uid++) {
      books.oddHistogram(odd(uid, FROM));
    }
    RunProof few = proof(day(null), snapshot(0, true), books);
    assertThat(few.oddHistograms()).hasSize(50).contains(odd(49, FROM));
    assertThat(few.hidesOddHistograms()).isFalse();
    books.oddHistogram(odd(50, FROM));
    RunProof many = proof(day(null), snapshot(0, true), books.copy());
    assertThat(many.hidesOddHistograms()).isTrue();
    assertThat(many.gaps()).isEmpty();
    assertThat(many.oddMetrics()).isEmpty();
  }

  /** They have neither NaN nor duplicates, and are too many to be named. */
  @Test
  void manyMetricsWithoutNamesAreAGap() {
    Books books = new Books();
    for (long uid = 0; uid < 50; uid++) {
      books.oddMetric(odd(uid, FROM));
    }
    RunProof few = proof(day(null), snapshot(0, true), books);
    assertThat(few.gaps()).isEmpty();
    assertThat(few.oddMetrics()).hasSize(50);
    books.oddMetric(odd(50, FROM));
    assertThat(proof(day(null), snapshot(0, true), books).gaps())
        .singleElement()
        .asString()
        .startsWith("more than 50 metrics have no name in the UID snapshot");
  }

  @Test
  void incompleteInputIsAGap() {
    Books books = new Books();
    assertThat(proof(day(null), snapshot(0, false), books).gaps().get(0)).contains("SKIP_FLUSH");
    assertThat(proof(day(null), snapshot(1, true), books).gaps().get(0)).contains("TTL");
    assertThat(proof(day(null), snapshot(30, true), books).gaps()).isEmpty();
    RollupOptions late = options(FROM + DAY + 2 * HOUR, null, "1h");
    assertThat(proof(late, snapshot(0, true), books).gaps().get(0))
        .contains("after the data snapshot");
  }

  @Test
  void theSearchForChangedRowsProvesARefresh() {
    Instant earlier = Instant.ofEpochSecond(FROM - 300);
    ChangedSince since =
        new ChangedSince(earlier, earlier.plusSeconds(60), "t", 1, false, Set.of(), null);
    assertThat(proof(day(since), snapshot(0, true), new Books()).refreshes())
        .as("of the times that are proven as of the earlier snapshot, not of its margin")
        .containsExactly(refresh(FROM, earlier.plusSeconds(60)));
  }

  private static RunProof.Refresh refresh(long to, Instant since) {
    return new RunProof.Refresh(Instant.EPOCH, Instant.ofEpochSecond(to), since);
  }

  /** The night before the last has refreshed the coverage, the last one has not. */
  @Test
  void theRowsSinceAnEarlierSnapshotAreARefreshOfTheirOwn() {
    Instant last = Instant.ofEpochSecond(FROM - 300);
    Instant before = last.minusSeconds(DAY);
    ChangedSince.Earlier rows =
        new ChangedSince.Earlier(FROM - DAY, before, before.plusSeconds(60), Set.of());
    ChangedSince since =
        new ChangedSince(last, last.plusSeconds(60), "t", 1, false, Set.of(), rows);
    assertThat(RunProofs.of(day(since), snapshot(0, true), new Books(), true).refreshes())
        .containsExactly(
            refresh(FROM, last.plusSeconds(60)), refresh(FROM - DAY, before.plusSeconds(60)));
    assertThat(RunProofs.of(day(since), snapshot(0, true), new Books(), false).refreshes())
        .as("rows of it were not found")
        .containsExactly(refresh(FROM, last.plusSeconds(60)));
    Books odd = new Books();
    odd.oldTimestamps();
    assertThat(RunProofs.of(day(since), snapshot(0, true), odd, true).refreshes()).isEmpty();
  }

  @Test
  void aSearchThatMayMissRowsProvesNoRefresh() {
    Instant time = Instant.ofEpochSecond(FROM);
    Instant taken = time.plusSeconds(60);
    for (ChangedSince since :
        List.of(
            new ChangedSince(time, taken, "tsdb", 1, true, Set.of(), null),
            new ChangedSince(time, taken, "tsdb", 1, false, null, null),
            new ChangedSince(time, null, "tsdb", 1, false, Set.of(), null),
            new ChangedSince(time, taken.minusSeconds(1), "tsdb", 1, false, Set.of(), null),
            new ChangedSince(TAKEN, TAKEN.plusSeconds(60), "tsdb", 1, false, Set.of(), null))) {
      assertThat(proof(day(since), snapshot(0, true), new Books()).refreshes())
          .as("%s", since)
          .isEmpty();
    }
  }

  @Test
  void aTableWhoseCellsMayHaveOlderTimestampsIsNotRefreshed() {
    ChangedSince since = since(Instant.ofEpochSecond(FROM), false, Set.of());
    Books books = new Books();
    Snapshot data = snapshot(0, true);
    assertThat(proof(day(since), data, books).refreshes()).isNotEmpty();
    Snapshot replicated =
        new Snapshot(
            data.name(),
            data.table(),
            data.creationTime(),
            true,
            data.conf(),
            null,
            ColumnFamilyDescriptorBuilder.newBuilder(data.family()).setScope(1).build(),
            List.of());
    assertThat(proof(day(since), replicated, books).refreshes()).isEmpty();
    books.oldTimestamps();
    assertThat(proof(day(since), data, books).refreshes()).isEmpty();
  }

  @Test
  void hoursThatTheTtlMayHaveBittenAreNotRefreshed() {
    ChangedSince since = since(Instant.ofEpochSecond(FROM), false, Set.of());
    // The snapshot was taken at 1:00; a day of margin.
    RunProof.Refresh hours =
        proof(options(FROM + DAY, since, "1h"), snapshot(10, true), new Books()).refreshes().get(0);
    assertThat(hours.from()).isEqualTo(Instant.ofEpochSecond(FROM - 8 * DAY + HOUR));
    RunProof.Refresh days = proof(day(since), snapshot(10, true), new Books()).refreshes().get(0);
    assertThat(days.from()).isEqualTo(Instant.ofEpochSecond(FROM - 7 * DAY));
    assertThat(proof(day(since), snapshot(2, true), new Books()).refreshes()).isEmpty();
  }
}
