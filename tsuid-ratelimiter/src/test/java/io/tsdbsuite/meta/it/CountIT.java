package io.tsdbsuite.meta.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mode count against a real TSD: every point is in a counter, exactly once. */
class CountIT {
  /** Far longer than a test: no series is due a second time. */
  private static final String MONTH = "2592000";

  @Test
  void countsExactlyWithFourWritersEvictionsAndAStop() throws Exception {
    String test = "count";
    Map<String, String> conf =
        MetaStack.plugin(test, "mode", "count", "max_size", "150", "ttl_seconds", "2");
    TsdServer tsd = MetaStack.tsd(test, conf);
    int series = 200;
    Load load = new Load("count.m", series);
    int points = load.writeWithFour(tsd, 40);
    assertThat(MetaStack.stat(tsd, "evictions")).isPositive();
    assertThat(MetaStack.stat(tsd, "points")).isEqualTo(points);
    assertThat(MetaStack.stat(tsd, "points.lost")).isZero();
    tsd.stop();
    MetaRows rows = MetaRows.of(test);
    assertThat(rows.counters()).hasSize(series);
    assertThat(rows.counters().values()).allMatch(counter -> counter.value() == points / series);
  }

  @Test
  void addsToACounterThatIsThere() throws IOException {
    String test = "count41";
    TsdServer first = MetaStack.tsd(test, MetaStack.plugin(test, "mode", "count"));
    Load load = new Load("count41.m", 1);
    load.write(first, 1);
    first.stop();
    byte[] tsuid = MetaStack.hbase().cells(test + "-meta").get(0).row();
    assertThat(MetaRows.of(test).sum()).isEqualTo(1);
    MetaStack.hbase().deleteRow(test + "-meta", tsuid);
    MetaStack.hbase().majorCompact(test + "-meta");
    MetaRows.put(test, tsuid, 41, 1_000_000_000_000L);
    TsdServer second = MetaStack.tsd(test + "b", MetaStack.plugin(test, "mode", "count"));
    load.write(second, 30);
    assertThat(MetaStack.stat(second, "new_series")).isZero();
    second.stop();
    assertThat(MetaRows.of(test).sum()).isEqualTo(71);
  }

  @Test
  void aCellThatIsNoCounterStaysAndIsNamed() throws IOException {
    String test = "nocounter";
    Load load = new Load("nocounter.m", 2);
    TsdServer first = MetaStack.tsd(test, MetaStack.plugin(test, "mode", "count"));
    load.write(first, 1);
    first.stop();
    RawCell cell = MetaStack.hbase().cells(test + "-meta").get(0);
    RawCell wrong =
        new RawCell(
            cell.row(), "name", cell.qualifier(), cell.timestamp() + 1, new byte[] {1, 2, 3});
    MetaStack.hbase().putCells(test + "-meta", List.of(wrong));
    TsdServer second =
        MetaStack.tsd(test + "b", MetaStack.plugin(test, "mode", "count", "ttl_seconds", MONTH));
    load.write(second, 30);
    MetaStack.awaitStat(second, "failures", 1);
    assertThat(MetaStack.stat(second, "failures.ambiguous")).isZero();
    assertThat(MetaStack.stat(second, "rpcs_in_flight_limit")).isEqualTo(1000);
    second.stop();
    assertThat(second.logTail())
        .contains("series " + MetaRows.hex(cell.row()) + " cannot be written")
        .contains("30 points are in no counter of the meta table");
    List<RawCell> left = MetaStack.hbase().cells(test + "-meta");
    assertThat(left).contains(wrong);
    assertThat(ByteBuffer.wrap(left.get(1).value()).getLong()).isEqualTo(31);
  }

  @Test
  void theGuardLetsSoManyNewSeriesPass() throws IOException {
    String test = "guard";
    Map<String, String> conf =
        MetaStack.plugin(test, "max_new_series_per_hour", "10", "ttl_seconds", MONTH);
    TsdServer before = MetaStack.tsd("guard-before", MetaStack.plugin(test));
    new Load("guard.old", 20).write(before, 1);
    MetaStack.awaitStat(before, "writes", 20);
    before.stop();
    assertThat(MetaRows.of(test).counters()).hasSize(20);
    long hour = System.currentTimeMillis() / 3_600_000;
    TsdServer tsd = MetaStack.tsd(test, conf);
    new Load("guard.old", 20).write(tsd, 2);
    new Load("guard.m", 50).write(tsd, 3);
    Await.until(
        "all new series to be judged",
        MetaStack.PATIENCE,
        () -> MetaStack.stat(tsd, "new_series.suppressed") + MetaStack.stat(tsd, "writes") >= 70);
    long newSeries = MetaStack.stat(tsd, "new_series");
    long writes = MetaStack.stat(tsd, "writes");
    tsd.stop();
    assumeThat(System.currentTimeMillis() / 3_600_000).as("all in one hour").isEqualTo(hour);
    assertThat(newSeries).isEqualTo(10);
    assertThat(writes).isEqualTo(30);
    assertThat(MetaRows.of(test).counters()).hasSize(30);
  }
}
