package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.KafkaServer;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The broker goes away under consumers and under the producer of dead letters. */
class BrokerRestartIT {
  private static final int MESSAGES = 30_000;

  private final KafkaServer kafka = IngestStack.get().kafka();

  @AfterEach
  void leaveItRunning() {
    if (!kafka.isAlive()) {
      kafka.start();
    }
  }

  @Test
  void losesNeitherMessagesNorDeadLetters() throws IOException {
    Consumption consumption = new Consumption("broker", 4, MESSAGES).sendWithPoison(100);
    TsdServer tsd = consumption.startTsd("broker", 8_000);
    consumption.awaitStored(tsd, MESSAGES / 6);
    // Messages that it has already fetched last until the broker is back, twice.
    consumption.rate(tsd, 1_000);
    kafka.stop();
    kafka.start();
    long committed = consumption.committed();
    Await.until(
        "the group commits again", IngestStack.PATIENCE, () -> consumption.committed() > committed);
    kafka.kill();
    assertThat(consumption.stored(tsd)).isLessThan(MESSAGES);
    kafka.start();
    consumption.rate(tsd, 1_000_000);
    consumption.awaitAndCompare();
    consumption.assertBooksClose(tsd);
    Set<String> dead = new TreeSet<>();
    for (ConsumerRecord<byte[], byte[]> record :
        consumption.topics().readAll(consumption.deadLetters())) {
      dead.add(new String(record.value(), StandardCharsets.UTF_8));
    }
    assertThat(dead).isEqualTo(consumption.poison());
    assertThat(consumption.status(tsd).at("/messages/deadLettered").asLong())
        .isGreaterThanOrEqualTo(consumption.poison().size());
    tsd.stop();
  }
}
