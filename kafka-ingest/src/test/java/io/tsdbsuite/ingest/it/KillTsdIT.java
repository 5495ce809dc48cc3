package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A TSD that dies with messages in all stages, and is started again. */
class KillTsdIT {
  private static final int MESSAGES = 100_000;

  @Test
  void losesNothingWhenItIsKilled() throws IOException {
    Consumption consumption = new Consumption("kill", 6, MESSAGES).send();
    // 250,000 points: slow enough to be hit in the middle.
    TsdServer tsd =
        consumption.startTsd(
            "kill", 10_000, Map.of("KafkaRpcPlugin.kafka.session.timeout.ms", "6000"));
    consumption.awaitStored(tsd, MESSAGES / 3);
    long stored = consumption.stored(tsd);
    tsd.kill();
    assertThat(stored).isBetween(MESSAGES / 3L, 2L * MESSAGES / 3);
    assertThat(consumption.committed()).isLessThan(MESSAGES);
    tsd.start();
    consumption.rate(tsd, 1_000_000);
    consumption.awaitAndCompare();
    consumption.assertBooksClose(tsd);
    // It went on where the killed one had committed, and not at the beginning.
    assertThat(consumption.stored(tsd)).isLessThan(MESSAGES);
    tsd.stop();
  }
}
