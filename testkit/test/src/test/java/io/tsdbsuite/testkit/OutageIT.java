package io.tsdbsuite.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Two TSDs on one HBase, and what the one and the other outlive. The comparison of their tables is
 * first.
 */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OutageIT {
  private static final long DAY = 1_600_041_600L; // 2020-09-14T00:00:00Z
  private static final Duration LATE = Duration.ofMinutes(5);
  private static Stack stack;
  private static TsdServer second;
  private static Path plugin;

  @BeforeAll
  static void start() throws IOException {
    Path dir = WorkDirs.fresh("OutageIT");
    plugin = Files.createDirectories(dir.resolve("plugin"));
    stack = Stack.in(dir).tsd().start();
    second =
        stack.startTsd(
            "second", Map.of("tsd.storage.hbase.data_table", "second-tsdb"), List.of(plugin));
  }

  @AfterAll
  static void close() {
    stack.close();
  }

  private static List<DataPoint> points(String metric, int from, int to) {
    List<DataPoint> points = new ArrayList<>();
    for (int i = from; i < to; i++) {
      points.add(new DataPoint(metric, DAY + i, (long) i, Map.of("host", "h" + i % 10)));
    }
    return points;
  }

  private static int found(TsdServer tsd, String metric) {
    return tsd.client().query(QuerySpec.of(metric, DAY, DAY + 86_400)).stream()
        .mapToInt(series -> series.points().size())
        .sum();
  }

  @Test
  @Order(1)
  void aKilledTsdStartsAgainBesideAnother() throws IOException {
    int port = second.port();
    String conf = Files.readString(second.configFile());
    second.client().put(points("killed", 0, 1000));
    stack.tsd().client().put(points("killed", 0, 500));
    second.kill();
    assertThat(second.isAlive()).isFalse();
    stack.tsd().client().put(points("killed", 500, 1000));
    assertThat(found(stack.tsd(), "killed")).isEqualTo(1000);
    second.start();
    assertThat(second.port()).isEqualTo(port);
    assertThat(Files.readString(second.configFile())).isEqualTo(conf);
    assertThat(ProcessHandle.of(second.pid()).orElseThrow().info().commandLine().orElseThrow())
        .contains(plugin.toString());
    assertThat(found(second, "killed")).isEqualTo(1000);
    // One UID table, so the two data tables hold the same cells.
    HBaseServer hbase = stack.hbase();
    assertThat(hbase.digest("second-tsdb")).isEqualTo(hbase.digest("tsdb"));
    assertThat(CellDiff.of(hbase.cells("tsdb"), hbase.cells("second-tsdb"), 5)).isEmpty();
    assertThat(hbase.digest("tsdb").cells()).isEqualTo(1000);
    assertThat(hbase.digest("tsdb")).isEqualTo(TableDigest.of(hbase.cells("tsdb")));
    second.client().put(points("killed", 1000, 1001));
    assertThat(hbase.digest("second-tsdb")).isNotEqualTo(hbase.digest("tsdb"));
    stack.tsd().client().put(points("killed", 1000, 1001));
  }

  @Test
  void tsdsGoOnAfterHBaseWasStopped() throws Exception {
    TsdClient tsd = stack.tsd().client();
    HBaseServer hbase = stack.hbase();
    tsd.put(points("outage", 0, 100));
    TableDigest before = hbase.digest("tsdb");
    int port = hbase.zkPort();
    hbase.stop();
    assertThat(hbase.isAlive()).isFalse();
    assertThat(FreePorts.isFree(port)).isTrue();
    CompletableFuture<Void> known =
        CompletableFuture.runAsync(() -> tsd.put(points("outage", 100, 120)));
    CompletableFuture<Void> unknown =
        CompletableFuture.runAsync(() -> second.client().put(points("new", 0, 1)));
    hbase.start();
    assertThat(hbase.zkPort()).isEqualTo(port);
    // A few points wait in asynchbase and are stored late; many of them fail, see docs/testkit.md.
    assertThat(known).succeedsWithin(LATE);
    assertThat(unknown).succeedsWithin(LATE);
    assertThat(hbase.digest("tsdb").cells()).isEqualTo(before.cells() + 20);
    tsd.put(points("outage", 120, 1000));
    assertThat(found(stack.tsd(), "outage")).isEqualTo(1000);
    second.client().put(points("new", 1, 10));
    assertThat(found(second, "new")).isEqualTo(10);
  }

  @Test
  void tsdsGoOnAfterHBaseWasFrozen() {
    TsdClient tsd = stack.tsd().client();
    tsd.put(points("frozen", 0, 10));
    stack.hbase().suspend();
    CompletableFuture<Void> put =
        CompletableFuture.runAsync(() -> tsd.put(points("frozen", 10, 20)));
    assertThat(put).isNotDone();
    stack.hbase().resume();
    assertThat(put).succeedsWithin(LATE);
    assertThat(found(stack.tsd(), "frozen")).isEqualTo(20);
  }
}
