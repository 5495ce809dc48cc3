package io.tsdbsuite.rollup.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.format.metric.MetricPatterns;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.HoldBack;
import io.tsdbsuite.rollup.plan.RollupIntervals;
import io.tsdbsuite.rollup.report.FailureLimits;
import io.tsdbsuite.rollup.uid.UidSettings;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Snapshots that are known to lack points of the window are refused, unless that is allowed. */
class CompleteInputTest {
  private static final int DAY = 86400;

  /** When the snapshot was taken: 2026-11-20T00:30:00Z, a while ago. */
  private static final long TAKEN = 1795134600;

  private static final Tolerance ALL = new Tolerance(FailureLimits.NONE, true, true, true);

  private static Snapshot snapshot(int ttl, boolean flushed) {
    return new Snapshot(
        "night",
        "tsdb",
        TAKEN * 1000,
        flushed,
        new Configuration(false),
        null,
        ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("t")).setTimeToLive(ttl).build(),
        List.of());
  }

  private static RollupOptions window(long from, long to, String interval, Tolerance tolerance) {
    RollupConfig config =
        RollupConfig.parse(
            "{\"aggregationIds\":{\"sum\":0,\"count\":2,\"min\":3,\"max\":4},\"intervals\":["
                + "{\"table\":\"r1m\",\"preAggregationTable\":\"p1m\",\"interval\":\"1m\","
                + "\"rowSpan\":\"1d\",\"defaultInterval\":true},"
                + "{\"table\":\"r1h\",\"preAggregationTable\":\"p1h\",\"interval\":\"1h\","
                + "\"rowSpan\":\"1d\"},"
                + "{\"table\":\"r1d\",\"preAggregationTable\":\"p1d\",\"interval\":\"1d\","
                + "\"rowSpan\":\"1y\"}]}");
    return new RollupOptions(
        "file:///root",
        "night",
        UidSettings.NONE,
        StorageSchema.defaults(),
        new RollupIntervals(List.of(config.interval(interval))),
        new Window(from, to),
        HoldBack.of(0, Clock.systemUTC()),
        MetricPatterns.all(),
        1,
        tolerance,
        null,
        AsOf.SNAPSHOT,
        false);
  }

  private static void require(int ttl, long from, long to, String interval) {
    CompleteInput.requireUnexpired(snapshot(ttl, true), window(from, to, interval, Tolerance.NONE));
  }

  @Test
  void aWindowThatTheTtlCutsIsRefused() {
    // The first whole hour begins 29 days before the snapshot.
    long whole = TAKEN - 29 * DAY + 1800;
    assertThat(whole % 3600).isZero();
    assertThatCode(() -> require(30 * DAY, whole, whole + DAY, "1h")).doesNotThrowAnyException();
    assertThatThrownBy(() -> require(30 * DAY, whole - 3600, whole + DAY, "1h"))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("the window begins at " + Instant.ofEpochSecond(whole - 3600))
        .hasMessageContaining("TTL of table tsdb (2592000 s)")
        .hasMessageContaining("first complete hour")
        .hasMessageContaining("--from " + Instant.ofEpochSecond(whole))
        .hasMessageContaining("--allow-expired")
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.USAGE);
  }

  @Test
  void ofDaysTheFirstWholeDayIsNamed() {
    long midnight = TAKEN / DAY * DAY - 29 * DAY;
    assertThatThrownBy(() -> require(30 * DAY, midnight, midnight + DAY, "1d"))
        .hasMessageContaining("first complete day")
        .hasMessageContaining("--from " + Instant.ofEpochSecond(midnight + DAY));
    assertThatCode(() -> require(30 * DAY, midnight + DAY, midnight + 2 * DAY, "1d"))
        .doesNotThrowAnyException();
  }

  @Test
  void withoutTtlOrWindowNothingIsRefused() {
    assertThatCode(() -> require(HConstants.FOREVER, 0, DAY, "1h")).doesNotThrowAnyException();
    assertThatCode(() -> require(DAY, DAY, DAY, "1h")).doesNotThrowAnyException();
  }

  @Test
  void aSnapshotWithoutFlushIsRefused() {
    assertThatThrownBy(
            () -> CompleteInput.requireFlushed(snapshot(HConstants.FOREVER, false), Tolerance.NONE))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("snapshot 'night' was taken with SKIP_FLUSH")
        .hasMessageContaining("--allow-skip-flush")
        .extracting(e -> ((JobException) e).exitCode())
        .isEqualTo(ExitCode.USAGE);
    assertThatCode(
            () -> CompleteInput.requireFlushed(snapshot(HConstants.FOREVER, true), Tolerance.NONE))
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsAllowedIsAWarning() {
    Snapshot snapshot = snapshot(30 * DAY, false);
    RollupOptions options = window(0, DAY, "1h", ALL);
    CompleteInput.requireFlushed(snapshot, ALL);
    CompleteInput.requireUnexpired(snapshot, options);
    List<String> warnings = new ArrayList<>();
    CompleteInput.warn(snapshot, options, warnings);
    assertThat(warnings)
        .hasSize(2)
        .anyMatch(warning -> warning.contains("SKIP_FLUSH"))
        .anyMatch(warning -> warning.contains("TTL of table tsdb"));
  }
}
