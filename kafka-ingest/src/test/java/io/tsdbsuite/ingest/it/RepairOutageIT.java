package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.ingest.it.StoredRollups.Rollup;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HBase goes away while requests are carried out, and comes back: none is lost. */
class RepairOutageIT {
  private static final long DAY = 1763510400L;
  private static final int HOURS = 400;
  private static final String METRIC = "repair.outage";

  private final HBaseServer hbase = IngestStack.get().hbase();

  @AfterEach
  void leaveItRunning() {
    if (!hbase.isAlive()) {
      hbase.start();
    }
  }

  @Test
  void everyRequestIsCarriedOut() throws IOException {
    String name = "repair-outage";
    // 10 requests a second, so that HBase goes among them.
    Map<String, String> conf = Map.of("KafkaRpcPlugin." + name + "-requests.rate", "10");
    try (RepairStack stack = new RepairStack(name, conf)) {
      List<String> points = new ArrayList<>();
      List<String> requests = new ArrayList<>();
      Map<Long, Rollup> expected = new TreeMap<>();
      for (int i = 0; i < HOURS; i++) {
        long hour = DAY + i * 3600L;
        points.add(RepairStack.point(METRIC, hour + 7, i));
        requests.add(RepairStack.request(METRIC, hour, "1h"));
        expected.put(hour, new Rollup(i, i, i, 1));
      }
      stack.send("points", points);
      stack.await("points");
      stack.send("requests", requests);
      Await.until(
          "some requests to be carried out",
          IngestStack.PATIENCE,
          () -> repaired(stack.status("requests")) >= HOURS / 20);
      hbase.stop();
      assertThat(repaired(stack.status("requests"))).isLessThan(HOURS);
      stack
          .tsd()
          .client()
          .post("plugin/kafka-ingest/rate?group=" + stack.group("requests") + "&rate=500", null);
      hbase.start();
      JsonNode status = stack.await("requests");
      RepairIT.assertBooksClose(status);
      assertThat(repaired(status)).isEqualTo(HOURS);
      assertThat(StoredRollups.of("repair-1h", 3600, METRIC)).isEqualTo(expected);
      Await.until(
          "all offsets to be committed",
          IngestStack.PATIENCE,
          () -> stack.topics().lag(stack.group("requests"), stack.group("requests")) == 0);
    }
  }

  private static long repaired(JsonNode status) {
    return status.at("/repairs/repaired").asLong();
  }
}
