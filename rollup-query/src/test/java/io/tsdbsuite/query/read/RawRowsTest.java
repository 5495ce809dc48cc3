package io.tsdbsuite.query.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.plan.RollupFunction;
import java.util.ArrayList;
import java.util.List;
import net.opentsdb.core.RawSpan;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.junit.jupiter.api.Test;

class RawRowsTest {
  private static final byte[] KEY = {0, 0, 1, 0, 1, 0x51, (byte) 0x80, 0, 0, 1, 0, 0, 1};
  private static final long BASE = 86_400_000;
  private static final long HOUR = 3_600_000;

  private final List<KeyValue> row = new ArrayList<>();

  private void cell(byte[] qualifier, int value) {
    row.add(new KeyValue(KEY, new byte[] {'t'}, qualifier, 1, new byte[] {(byte) value}));
  }

  private int read(TimeRanges pieces) {
    ScannedSeries series = new ScannedSeries(KEY, false);
    new RawRows(StorageSchema.defaults(), RollupFunction.SUM, pieces, false).read(row, series);
    return series.size;
  }

  /** One scan reads the raw edges of a rolled-up hour, and the hour between them. */
  @Test
  void aRowThatNoPieceWantsIsNotLookedAt() {
    cell(Qualifier.ofSeconds(5, false, 1), 1);
    cell(Qualifier.ofMillis(5000, false, 1), 2);
    TimeRanges beside =
        TimeRanges.of(BASE - HOUR, BASE).plus(TimeRanges.of(BASE + HOUR, BASE + 2 * HOUR));
    assertThat(read(beside)).isZero();
    assertThatThrownBy(() -> read(beside.plus(TimeRanges.of(BASE + HOUR - 1, BASE + HOUR))))
        .isInstanceOf(NotExactException.class);
  }

  @Test
  void pointsAreClippedToThePieces() {
    cell(Qualifier.ofSeconds(5, false, 1), 1);
    cell(Qualifier.ofSeconds(6, false, 1), 2);
    cell(Qualifier.ofSeconds(7, false, 1), 3);
    assertThat(read(TimeRanges.of(0, BASE + 6_000))).isEqualTo(1);
    assertThat(read(TimeRanges.of(BASE + 6_000, BASE + 8_000))).isEqualTo(2);
    assertThat(read(TimeRanges.none())).isZero();
  }

  /** Their texts may be long, and stay until the answer. */
  @Test
  void annotationsAreHeld() throws Exception {
    byte[] json = ("{\"startTime\":86405,\"notes\":\"" + "x".repeat(5000) + "\"}").getBytes(UTF_8);
    row.add(new KeyValue(KEY, new byte[] {'t'}, new byte[] {1, 0, 5}, 1, json));
    ScannedSeries series = new ScannedSeries(KEY, false);
    TimeRanges all = TimeRanges.of(0, 2 * BASE);
    new RawRows(StorageSchema.defaults(), RollupFunction.SUM, all, true).read(row, series);
    assertThat(series.annotations()).hasSize(1);
    assertThat(series.bytes()).isGreaterThan(10_000);
    TSDB tsdb = new TSDB(new HBaseClient("127.0.0.1:1"), new Config(false));
    assertThat(new RawSpan(tsdb, KEY).add(row)).isEqualTo(series.bytes());
  }

  @Test
  void aRangeTouchesItsTimes() {
    Clip clip =
        new Clip(TimeRanges.of(0, 10).plus(TimeRanges.of(20, 30)).plus(TimeRanges.of(40, 50)));
    assertThat(clip.hasAny(10, 20)).isFalse();
    assertThat(clip.hasAny(30, 40)).isFalse();
    assertThat(clip.hasAny(50, 60)).isFalse();
    assertThat(clip.hasAny(29, 40)).isTrue();
    assertThat(clip.hasAny(30, 41)).isTrue();
    assertThat(clip.hasAny(5, 60)).isTrue();
    assertThat(clip.hasAny(42, 43)).isTrue();
    assertThat(new Clip(TimeRanges.none()).hasAny(0, 10)).isFalse();
  }
}
