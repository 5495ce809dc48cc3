package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.TsdException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * HBase goes away under a TSD that stores points and rollups and carries out requests, and comes
 * back: nothing is lost, and the TSD takes queries again only when it has caught up.
 */
class RepairOutageIT {
  private static final long DAY = 1763510400L;
  private static final int HOURS = 400;
  private static final int POINTS = 20_000;
  private static final int ROLLUPS = 3_000;
  private static final int READY_LAG = 100;
  private static final String METRIC = "repair.outage";
  private static final String RAW = "repair.outage.raw";
  private static final String ROLLED_UP = "repair.outage.rolled-up";

  /** Real time for which HBase is away; -Doutage.seconds=600 for the whole ten minutes. */
  private static final Duration OUTAGE =
      Duration.ofSeconds(Integer.getInteger("outage.seconds", 5));

  private final HBaseServer hbase = IngestStack.get().hbase();

  @AfterEach
  void leaveItRunning() {
    if (!hbase.isAlive()) {
      hbase.start();
    }
  }

  @Test
  void nothingIsLostAndReadyMeansCaughtUp() throws IOException {
    String name = "repair-outage";
    // HBase goes among the messages of each group.
    Map<String, String> conf =
        Map.of(
            "KafkaRpcPlugin.readyLag",
            Integer.toString(READY_LAG),
            // HBase's client loses an answer at times while its connections fail.
            "KafkaRpcPlugin.ackTimeout",
            "60000",
            "KafkaRpcPlugin." + name + "-points.rate",
            "1000",
            "KafkaRpcPlugin." + name + "-rollups.rate",
            "500",
            "KafkaRpcPlugin." + name + "-requests.rate",
            "10");
    try (RepairStack stack = new RepairStack(name, conf)) {
      List<String> points = new ArrayList<>();
      List<String> requests = new ArrayList<>();
      Map<Long, Rollup> repaired = new TreeMap<>();
      for (int i = 0; i < HOURS; i++) {
        long hour = DAY + i * 3600L;
        points.add(RepairStack.point(METRIC, hour + 7, i));
        requests.add(RepairStack.request(METRIC, hour, "1h"));
        repaired.put(hour, new Rollup(i, i, i, 1));
      }
      stack.send("points", points);
      stack.await("points");
      stack.send("requests", requests);
      Await.until(
          "some requests to be carried out",
          IngestStack.PATIENCE,
          () -> repaired(stack.status("requests")) >= HOURS / 20);
      stack.send("points", raw(0, POINTS / 2));
      stack.send("rollups", rollups(0, ROLLUPS / 2));
      Await.until(
          "some points and rollups to be stored",
          IngestStack.PATIENCE,
          () -> stored(stack, "points") > HOURS && stored(stack, "rollups") > 0);
      hbase.stop();
      long stopped = System.nanoTime();
      assertThat(repaired(stack.status("requests"))).isLessThan(HOURS);
      assertThat(stored(stack, "points")).isLessThan(HOURS + POINTS / 2);
      assertThat(stored(stack, "rollups")).isLessThan(ROLLUPS / 2);
      stack.send("points", raw(POINTS / 2, POINTS));
      stack.send("rollups", rollups(ROLLUPS / 2, ROLLUPS));
      stack.rate("points", 100_000);
      stack.rate("rollups", 100_000);
      stack.rate("requests", 500);
      Await.until(
          "the TSD sends queries elsewhere", IngestStack.PATIENCE, () -> readyStatus(stack) == 503);
      Await.until(
          "HBase was away for " + OUTAGE,
          OUTAGE.plus(IngestStack.PATIENCE),
          () -> System.nanoTime() - stopped >= OUTAGE.toNanos());
      assertThat(stack.tsd().isAlive()).isTrue();
      assertThat(readyStatus(stack)).isEqualTo(503);
      hbase.start();
      Await.until("the TSD takes queries", IngestStack.PATIENCE, () -> readyStatus(stack) == 200);
      assertThat(stored(stack, "points")).isGreaterThanOrEqualTo(HOURS + POINTS - READY_LAG);
      assertThat(stored(stack, "rollups")).isGreaterThanOrEqualTo(ROLLUPS - READY_LAG);

      JsonNode status = stack.await("requests");
      RepairIT.assertBooksClose(status);
      // A request that was carried out is read again with one before it that HBase refused.
      long failed = status.get("storageFailures").asLong() + status.get("lostAnswers").asLong();
      long again = failed == 0 ? 0 : HOURS;
      assertThat(repaired(status)).isBetween((long) HOURS, HOURS + again);
      stack.await("points");
      stack.await("rollups");
      assertThat(StoredRollups.of("repair-1h", 3600, METRIC)).isEqualTo(repaired);
      assertThat(StoredRollups.of("repair-1h", 3600, ROLLED_UP)).isEqualTo(expectedRollups());
      long end = DAY + (POINTS + 3599) / 3600 * 3600;
      assertThat(StoredRollups.computed(stack.tsd(), "1h", RAW, DAY, end)).isEqualTo(expectedRaw());
      assertThat(stack.topics().readAll(stack.deadLetters())).isEmpty();
      for (String kind : List.of("points", "rollups", "requests")) {
        Await.until(
            "all offsets to be committed",
            IngestStack.PATIENCE,
            () -> stack.topics().lag(stack.group(kind), stack.group(kind)) == 0);
      }
    }
  }

  private static List<String> raw(int from, int to) {
    List<String> points = new ArrayList<>();
    for (int i = from; i < to; i++) {
      points.add(RepairStack.point(RAW, DAY + i, i));
    }
    return points;
  }

  private static Map<Long, Rollup> expectedRaw() {
    Map<Long, Rollup> expected = new TreeMap<>();
    for (int from = 0; from < POINTS; from += 3600) {
      int to = Math.min(from + 3600, POINTS);
      double sum = (from + to - 1) / 2.0 * (to - from);
      expected.put(DAY + from, new Rollup(sum, from, to - 1, to - from));
    }
    return expected;
  }

  private static List<String> rollups(int from, int to) {
    List<String> rollups = new ArrayList<>();
    for (int i = from; i < to; i++) {
      long start = DAY + i * 3600L;
      rollups.add(RepairStack.rollup(ROLLED_UP, "1h", start, (start + 3600) * 1000, i));
    }
    return rollups;
  }

  private static Map<Long, Rollup> expectedRollups() {
    Map<Long, Rollup> expected = new TreeMap<>();
    for (int i = 0; i < ROLLUPS; i++) {
      expected.put(DAY + i * 3600L, new Rollup(i, 1, 1, 1));
    }
    return expected;
  }

  private static long stored(RepairStack stack, String kind) {
    return stack.status(kind).at("/messages/stored").asLong();
  }

  private static long repaired(JsonNode status) {
    return status.at("/repairs/repaired").asLong();
  }

  private static int readyStatus(RepairStack stack) {
    try {
      stack.tsd().client().get("plugin/kafka-ingest/ready");
      return 200;
    } catch (TsdException e) {
      return e.status();
    }
  }
}
