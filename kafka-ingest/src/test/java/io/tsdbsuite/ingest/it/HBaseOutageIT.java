package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.TsdException;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.seed.Seed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * HBase goes away under a TSD that stores, and comes back. Older values of the same cells are on
 * their way at the same time: no try of theirs may come after the newer ones.
 */
class HBaseOutageIT {
  private static final int MESSAGES = 30_000;

  /** Real time of the outage, because the plugin promises to survive it; -Doutage.seconds=600. */
  private static final Duration OUTAGE =
      Duration.ofSeconds(Integer.getInteger("outage.seconds", Seed.times(5, 20)));

  private final HBaseServer hbase = IngestStack.get().hbase();

  @AfterEach
  void leaveItRunning() {
    if (!hbase.isAlive()) {
      hbase.start();
    }
  }

  @Test
  @Tag("slow")
  void waitsForHBaseAndStoresTheRest() throws IOException {
    Consumption consumption = new Consumption("outage", 4, MESSAGES).sendWithOlderValues();
    TsdServer tsd = consumption.startTsd("outage", 2_000);
    consumption.awaitStored(tsd, MESSAGES / 20);
    hbase.stop();
    long stopped = System.nanoTime();
    long storedBefore = consumption.stored(tsd);
    assertThat(storedBefore).isLessThan(MESSAGES);
    consumption.rate(tsd, 1_000_000);
    awaitHit(consumption, tsd);
    Await.until(
        "HBase was away for " + OUTAGE,
        OUTAGE.plus(IngestStack.PATIENCE),
        () -> System.nanoTime() - stopped >= OUTAGE.toNanos());
    assertThat(tsd.isAlive()).isTrue();
    assertThat(consumption.stored(tsd)).isLessThan(MESSAGES);
    assertThat(readyStatus(tsd)).isEqualTo(503);
    hbase.start();
    consumption.awaitAndCompare();
    consumption.assertBooksClose(tsd);
    Await.until("the TSD takes queries", IngestStack.PATIENCE, () -> readyStatus(tsd) == 200);
    JsonNode status = consumption.status(tsd);
    long failures = status.get("storageFailures").asLong();
    long replayed = status.at("/messages/replayed").asLong();
    double paused = status.get("pausedSeconds").asDouble();
    // Partitions stand still for what HBase refused, and that is read again. Without a failure a
    // message is read again if its partition moved before it was written: the second consumer may
    // join the group when the first one has begun.
    assertThat(failures > 0).as("%s", status).isEqualTo(paused > 0);
    if (failures > 0) {
      assertThat(replayed).as("%s", status).isPositive();
    } else {
      long stored = status.at("/messages/stored").asLong();
      assertThat(stored).as("%s", status).isEqualTo(consumption.committed());
    }
    assertThat(status.at("/messages/deadLettered").asLong()).isZero();
    tsd.stop();
  }

  @Test
  @Tag("slow")
  void waitsForHBaseThatHangs() throws IOException {
    Consumption consumption = new Consumption("hang", 4, MESSAGES).sendWithOlderValues();
    TsdServer tsd = consumption.startTsd("hang", 2_000);
    consumption.awaitStored(tsd, MESSAGES / 20);
    hbase.suspend();
    try {
      consumption.rate(tsd, 1_000_000);
      awaitHit(consumption, tsd);
      assertThat(consumption.stored(tsd)).isLessThan(MESSAGES);
    } finally {
      hbase.resume();
    }
    consumption.awaitAndCompare();
    consumption.assertBooksClose(tsd);
    tsd.stop();
  }

  /** Else queries go to a TSD that cannot answer, and Prometheus takes the threads of its port. */
  @Test
  void aTsdWithNothingToDoIsNotReadyAndItsStatisticsAnswer() throws Exception {
    Consumption consumption = new Consumption("outage-idle", 1, 10).send();
    TsdServer tsd = consumption.startTsd("outage-idle", 1_000);
    consumption.awaitAndCompare();
    Await.until("the TSD takes queries", IngestStack.PATIENCE, () -> readyStatus(tsd) == 200);
    hbase.stop();
    URI metrics = URI.create("http://127.0.0.1:" + tsd.port() + "/plugin/kafka-ingest/metrics");
    HttpRequest scrape = HttpRequest.newBuilder(metrics).timeout(IngestStack.PATIENCE).build();
    // More than a TSD has threads for HTTP.
    for (int i = 0; i < 100; i++) {
      assertThat(
              HttpClient.newHttpClient().send(scrape, HttpResponse.BodyHandlers.ofString()).body())
          .contains("kafka_ingest_ready{group=\"outage-idle\"}");
    }
    Await.until(
        "the TSD sends queries elsewhere", IngestStack.PATIENCE, () -> readyStatus(tsd) == 503);
    assertThat(consumption.status(tsd).get("notReady").asText()).startsWith("HBase ");
    assertThat(consumption.status(tsd).at("/messages/inFlight").asLong()).isZero();
    hbase.start();
    Await.until("the TSD takes queries", IngestStack.PATIENCE, () -> readyStatus(tsd) == 200);
    tsd.stop();
  }

  /** Waits until the TSD knows of the outage, and it has hit messages on their way to HBase. */
  private static void awaitHit(Consumption consumption, TsdServer tsd) {
    Await.until(
        "the TSD sends queries elsewhere", IngestStack.PATIENCE, () -> readyStatus(tsd) == 503);
    Await.until(
        "messages that HBase does not take",
        IngestStack.PATIENCE,
        () -> {
          JsonNode status = consumption.status(tsd);
          return status.at("/messages/inFlight").asLong() > 0
              || status.get("storageFailures").asLong() > 0;
        });
  }

  private static int readyStatus(TsdServer tsd) {
    try {
      tsd.client().get("plugin/kafka-ingest/ready");
      return 200;
    } catch (TsdException e) {
      return e.status();
    }
  }
}
