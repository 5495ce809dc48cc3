package io.tsdbsuite.rollup.coverage;

import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.DAY0;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.HOUR;
import static io.tsdbsuite.rollup.coverage.StoredCoverage.days;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.coverage.CoverageMask;
import io.tsdbsuite.coverage.CoverageWindow;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.junit.jupiter.api.Test;

class CoverageBoundsTest {
  private static CoverageMask mask(long hour, long time) {
    return new StoredCoverage().mask(hour, "sys.cpu", StoredCoverage.LATE, time).masks().get(0);
  }

  @Test
  void theBoundsOfWindows() {
    CoverageWindow window = days("1h", 1, 2, "a", "sys.*,!sys.x");
    assertThat(bounds("1h", 0, 10, "sys.cpu", "a").wants(window)).isTrue();
    assertThat(bounds("1d", 0, 10, "sys.cpu", "a").wants(window)).isFalse();
    assertThat(bounds("1h", 0, 1, "sys.cpu", "a").wants(window)).isFalse();
    assertThat(bounds("1h", 2, 10, "sys.cpu", "a").wants(window)).isFalse();
    assertThat(bounds("1h", 0, 10, "sys.x", "a").wants(window)).isFalse();
    assertThat(bounds("1h", 0, 10, "sys.cpu", "b").wants(window)).isFalse();
  }

  /** Who removes rollups of 1h removes the windows of all that its table has. */
  @Test
  void anIntervalHasItsLevels() {
    CoverageWindow window = days("1h.p99", 1, 2, "a");
    assertThat(bounds("1h", 0, 10, "sys.cpu", "a").wants(window)).isTrue();
    assertThat(bounds("1h.p99", 0, 10, "sys.cpu", "a").wants(window)).isTrue();
    assertThat(bounds("1h.p9", 0, 10, "sys.cpu", "a").wants(window)).isFalse();
    assertThat(bounds("1d", 0, 10, "sys.cpu", "a").wants(window)).isFalse();
    assertThat(bounds("1h.p99", 0, 10, "sys.cpu", "a").wants(days("1h", 1, 2, "a"))).isFalse();
  }

  @Test
  void theBoundsOfMasks() {
    CoverageMask mask = mask(DAY0 + HOUR, 1);
    assertThat(hours(0, 2, "sys.cpu").wants(mask)).isTrue();
    assertThat(hours(0, 1, "sys.cpu").wants(mask)).isFalse();
    assertThat(hours(2, 3, "sys.cpu").wants(mask)).isFalse();
    assertThat(hours(0, 2, "sys.x").wants(mask)).isFalse();
  }

  /** A wide mask stands for more than a part of its time, and one of all metrics for others. */
  @Test
  void onlyMasksThatLieWithinAreRemoved() {
    CoverageMask mask = mask(DAY0 + HOUR, 1);
    assertThat(hours(1, 2, "sys.cpu").holds(mask)).isTrue();
    assertThat(hours(0, 3, "sys.x").holds(mask)).isFalse();
    String twoHours = "late/*/" + (DAY0 + 3 * HOUR);
    CoverageMask wide = new StoredCoverage().mask(DAY0 + HOUR, "*", twoHours, 1).masks().get(0);
    assertThat(hours(1, 3, "*").holds(wide)).isTrue();
    assertThat(hours(1, 2, "*").holds(wide)).isFalse();
    assertThat(hours(2, 3, "*").holds(wide)).isFalse();
    assertThat(hours(1, 3, "sys.cpu").holds(wide)).isFalse();
    assertThat(hours(1, 2, "sys.cpu").wants(wide)).isTrue();
  }

  /** Of a table with a TTL of 40 days. */
  @Test
  void masksOfDaysThatTheTtlMayHaveTakenArePast() {
    ColumnFamilyDescriptorBuilder data = ColumnFamilyDescriptorBuilder.newBuilder(new byte[] {'t'});
    assertThat(CoverageRemove.wholeFrom(data.build(), 0)).isEqualTo(Long.MIN_VALUE);
    data.setTimeToLive((int) (40 * DAY));
    long from = CoverageRemove.wholeFrom(data.build(), (DAY0 + 39 * DAY) * 1000);
    assertThat(from).isEqualTo(DAY0);
    CoverageMask mask = mask(DAY0 + 23 * HOUR, 1);
    assertThat(CoverageRemove.isPast(mask, from)).isFalse();
    assertThat(CoverageRemove.isPast(mask, from + 1)).isTrue();
    assertThat(CoverageRemove.isPast(mask(DAY0 + 24 * HOUR, 1), from + 1)).isFalse();
    assertThat(CoverageRemove.isPast(mask, Long.MIN_VALUE)).isFalse();
  }

  private static CoverageBounds hours(int from, int to, String metric) {
    return new CoverageBounds(
        Set.of(), DAY0 + from * HOUR, DAY0 + to * HOUR, List.of(metric), Set.of());
  }

  private static CoverageBounds bounds(
      String interval, int from, int to, String metric, String writer) {
    return new CoverageBounds(
        Set.of(interval), DAY0 + from * DAY, DAY0 + to * DAY, List.of(metric), Set.of(writer));
  }
}
