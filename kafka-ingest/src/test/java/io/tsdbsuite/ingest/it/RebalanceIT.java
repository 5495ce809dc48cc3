package io.tsdbsuite.ingest.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import io.tsdbsuite.testkit.TsdServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Two TSDs of one group: one comes, the other one goes, both in the middle of the work. */
class RebalanceIT {
  private static final int MESSAGES = 40_000;
  private static final int THREADS = 2;

  /** Messages per second: slow enough to be stopped in the middle. */
  private static final double SLOWLY = 2_000;

  @Test
  void handsPartitionsOver() throws IOException {
    Consumption consumption = new Consumption("rebalance", 8, MESSAGES).send();
    TsdServer first = consumption.startTsd("rebalance-first", SLOWLY);
    consumption.awaitStored(first, MESSAGES / 8);
    // However long the second takes to come, something is left for the first.
    consumption.rate(first, 0);
    TsdServer second = consumption.startTsd("rebalance-second", 8_000);
    consumption.awaitStored(second, MESSAGES / 8);
    assertThat(consumption.topics().members("rebalance")).hasSize(2 * THREADS);
    // The second stands still, so that what is stored from here on is the first one's.
    consumption.rate(second, 0);
    consumption.rate(first, SLOWLY);
    long before = consumption.stored(first);
    consumption.awaitStored(first, before + 1000);
    first.stop();
    assertThat(consumption.topics().members("rebalance")).hasSize(THREADS);
    Await.until(
        "the second has all answers",
        IngestStack.PATIENCE,
        () -> consumption.status(second).at("/points/inFlight").asLong() == 0);
    long stored = consumption.load().messagesInTables();
    assertThat(stored).isLessThan(MESSAGES);
    // Nothing is committed and not stored, and after a clean stop nothing is stored twice.
    Await.until(
        "all that is stored is committed, " + stored,
        IngestStack.PATIENCE,
        () -> consumption.committed() == stored);
    consumption.rate(second, 1_000_000);
    consumption.awaitAndCompare();
    consumption.assertBooksClose(second);
    second.stop();
  }
}
