package io.tsdbsuite.ingest.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.OpenTsdbTables;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TelnetClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Late points by Kafka, HTTP and telnet are masked, and repairs remove the masks. */
class LateMasksIT {
  private static final String TABLE = "late-coverage";
  private static final long HOUR = 3600;
  private static final long NOW = System.currentTimeMillis() / 1000;
  private static final long DAY0 = NOW / 86400 * 86400 - 3 * 86400;

  /** A time that the TTL has taken. */
  private static final long EXPIRED = NOW - 40 * 86400;

  private static final String[] INTERVALS = {"10m", "1h", "6h", "1d"};

  private static RepairStack stack;

  @BeforeAll
  static void start() throws IOException {
    try (Admin admin = IngestStack.get().hbase().connection().getAdmin()) {
      OpenTsdbTables.of(Map.of("tsd.storage.hbase.data_table", "late-none"))
          .coverage(TABLE)
          .create(admin);
    }
    Map<String, String> conf = new TreeMap<>(Publishing.conf("late-published"));
    conf.put("KafkaRpcPlugin.coverage.table", TABLE);
    conf.put("KafkaRpcPlugin.coverage.maxSeries", "3");
    conf.put("KafkaRpcPlugin.repairTtl", Long.toString(30 * 86400));
    conf.put("tsd.rollups.config", RepairStack.withHistograms(RepairStack.ROLLUP_CONFIG));
    IngestStack.get().kafka().topics().create("late-published", 1);
    stack = new RepairStack("late-masks", conf);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  /** The time of a point that is not late; {@link #NOW} may lie in an hour that has ended. */
  private static long now() {
    return System.currentTimeMillis() / 1000;
  }

  /** The masks of metrics with a prefix, without the TSUIDs' digits. */
  private static Set<String> masks(String prefix) {
    Set<String> masks = new TreeSet<>();
    for (RawCell cell : cells(prefix)) {
      String column = new String(cell.qualifier(), UTF_8);
      masks.add(
          new String(cell.row(), UTF_8) + " " + column.replaceFirst("/[0-9A-F]{18}$", "/TSUID"));
    }
    return masks;
  }

  private static List<RawCell> cells(String prefix) {
    List<RawCell> cells = new ArrayList<>();
    try {
      for (RawCell cell : IngestStack.get().hbase().cells(TABLE)) {
        if (new String(cell.row(), UTF_8).contains("/" + prefix)) {
          cells.add(cell);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cells;
  }

  private static String mask(long hour, String metric, String column) {
    return "mask/" + hour + "/" + metric + " " + column;
  }

  @Test
  void aCommittedPointIsMasked() {
    stack.store(
        "points",
        RepairStack.point("late.kafka", DAY0 + 5, 1),
        RepairStack.point("late.kafka", EXPIRED, 1),
        RepairStack.point("late.kafka", (DAY0 + HOUR) * 1000 + 7, 1),
        RepairStack.point("late.kafka", now(), 1));
    assertThat(masks("late.kafka"))
        .containsExactly(
            mask(DAY0, "late.kafka", "late/TSUID"), mask(DAY0 + HOUR, "late.kafka", "late/TSUID"));
  }

  @Test
  void pointsOverHttpAndTelnetAreMasked() throws Exception {
    Map<String, String> tags = Map.of("host", "a");
    stack
        .tsd()
        .client()
        .put(
            List.of(
                new DataPoint("late.http", EXPIRED, 1L, tags),
                new DataPoint("late.http", DAY0 + 5, 1L, tags),
                new DataPoint("late.http", now(), 1.5, tags)));
    try (TelnetClient telnet = stack.tsd().telnet()) {
      telnet.put(List.of(new DataPoint("late.telnet", DAY0 + 5, 1.5, tags)));
    }
    Await.until(
        "the masks",
        IngestStack.PATIENCE,
        () ->
            masks("late.http").equals(Set.of(mask(DAY0, "late.http", "late/TSUID")))
                && masks("late.telnet").equals(Set.of(mask(DAY0, "late.telnet", "late/TSUID"))));
  }

  /** Those of another metric are in no rollup. */
  @Test
  void histogramsAreMaskedAndRepaired() {
    String metric = "late.hist";
    stack.store(
        "points",
        RepairStack.histogram(metric, DAY0 + 5, 1, 2),
        RepairStack.histogram("late.nohist", DAY0 + 5, 1, 2));
    assertThat(masks("late.nohist")).isEmpty();
    String first = mask(DAY0, metric, "late/TSUID");
    assertThat(masks(metric)).containsExactly(first);
    String second = mask(DAY0 + HOUR, metric, "late/TSUID");
    stack.tsd().client().putHistogram(metric, DAY0 + HOUR, Map.of("0,10", 5L), Map.of("host", "a"));
    Await.until("the mask", IngestStack.PATIENCE, () -> masks(metric).contains(second));
    stack.store("requests", RepairStack.request(metric, DAY0, INTERVALS));
    assertThat(masks(metric)).doesNotContain(first);
    // A point that is not in the histogram beside it.
    stack.store("points", RepairStack.point(metric, DAY0 + 6, 1));
    stack.store("requests", RepairStack.request(metric, DAY0, INTERVALS));
    assertThat(masks(metric)).contains(first);
  }

  /** A producer sends days again: each hour has one mask, or a few. */
  @Test
  void aStormIsBounded() {
    List<String> points = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      String point = RepairStack.point("late.storm", DAY0 + i % 48 * HOUR + i % 3600, i);
      points.add(point.replace("\"a\"", "\"h" + i % 7 + "\""));
    }
    stack.send("points", List.of("[" + String.join(",", points) + "]"));
    stack.await("points");
    Set<String> masks = masks("late.storm");
    assertThat(masks).hasSize(48).allMatch(mask -> mask.endsWith(" late/*"));
    assertThat(stack.tsd().client().stats())
        .anySatisfy(
            (name, value) -> {
              assertThat(name).startsWith("tsd.kafka-ingest.masks.coarse by=groups");
              assertThat(Long.parseLong(value)).isPositive();
            });
  }

  @Test
  void aRepairOfAllIntervalsRemovesTheMask() {
    stack.store(
        "points",
        RepairStack.point("late.repair", DAY0 + 5, 1),
        RepairStack.point("late.repair", DAY0 + 86400, 1));
    String kept = mask(DAY0 + 86400, "late.repair", "late/TSUID");
    assertThat(masks("late.repair")).hasSize(2).contains(kept);
    stack.store("requests", RepairStack.request("late.repair", DAY0, "10m", "1h", "6h"));
    assertThat(masks("late.repair")).as("the day is not repaired").hasSize(2);
    stack.store("requests", RepairStack.request("late.repair", DAY0, INTERVALS));
    assertThat(masks("late.repair")).containsExactly(kept);
  }

  /** Of requests that wait together one alone reads the day. */
  @Test
  void allHoursOfADayThatAreRequestedTogetherLoseTheirMasks() {
    List<String> points = new ArrayList<>();
    List<String> requests = new ArrayList<>();
    for (int hour : new int[] {0, 5, 6, 23}) {
      points.add(RepairStack.point("late.day", DAY0 + hour * HOUR + 7, hour));
      requests.add(RepairStack.request("late.day", DAY0 + hour * HOUR, INTERVALS));
    }
    stack.store("points", points.toArray(new String[0]));
    assertThat(masks("late.day")).hasSize(4);
    stack.store("requests", requests.toArray(new String[0]));
    assertThat(masks("late.day")).isEmpty();
    Map.of("10m", 600L, "1h", HOUR, "6h", 6 * HOUR, "1d", 24 * HOUR)
        .forEach(
            (interval, seconds) ->
                assertThat(stored("repair-" + interval, seconds))
                    .as(interval)
                    .isEqualTo(
                        StoredRollups.computed(
                            stack.tsd(), interval, "late.day", DAY0, DAY0 + 24 * HOUR)));
  }

  private static Map<Long, StoredRollups.Rollup> stored(String table, long seconds) {
    try {
      return StoredRollups.of(table, seconds, "late.day");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its request is sent by the group of points, and carried out by the group of requests. */
  @Test
  void aLatePointIsRepaired() throws IOException {
    Map<String, String> conf = new TreeMap<>();
    conf.put("KafkaRpcPlugin.coverage.table", TABLE);
    conf.put("KafkaRpcPlugin.coverage.requestTopic", "lately-requests");
    try (RepairStack repairs = new RepairStack("lately", conf)) {
      repairs.send("points", List.of(RepairStack.point("lately", DAY0 + 5, 1)));
      Await.until(
          "the repair",
          IngestStack.PATIENCE,
          () -> repairs.status("requests").get("repairs").get("repaired").asLong() > 0);
      assertThat(masks("lately")).isEmpty();
      assertThat(repairs.status("requests").get("repairs").get("rollups").asLong())
          .isEqualTo(INTERVALS.length);
    }
  }

  @Test
  void aRequestThatIsRefusedAsExpiredMasksNothing() {
    stack.store("requests", RepairStack.request("late.kafka", EXPIRED / HOUR * HOUR, "1h"));
    assertThat(stack.status("requests").at("/messages/deadLettered").asLong()).isEqualTo(1);
    assertThat(masks("late.kafka")).noneMatch(mask -> mask.endsWith(" lost/TSUID"));
  }

  @Test
  void aRollupThatIsRefusedIsLost() {
    String good = RepairStack.rollup("late.lost", "1h", DAY0, NOW * 1000, 1);
    String bad = RepairStack.rollup("late.lost", "7h", DAY0 + HOUR, NOW * 1000, 1);
    stack.store("rollups", "[" + good + "," + bad + "]");
    assertThat(masks("late.lost")).containsExactly(mask(DAY0 + HOUR, "late.lost", "lost/TSUID"));
  }
}
