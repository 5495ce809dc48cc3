package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.store.CellIds;
import io.tsdbsuite.ingest.store.TestCells;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PendingCellsTest {
  private final PendingCells pending = new PendingCells();

  /** The cells of a message with a point at each of these times. */
  private CellIds points(int... times) throws Exception {
    StringJoiner message = new StringJoiner(",", "[", "]");
    for (int time : times) {
      message.add(
          "{\"type\":\"Metric\",\"metric\":\"m\",\"tags\":{\"a\":\"b\"},\"timestamp\":"
              + time
              + ",\"value\":1}");
    }
    return TestCells.of(message.toString());
  }

  @Test
  void theSecondWaitsForTheAnswerOfTheFirst() throws Exception {
    CellIds first = points(1, 2);
    CellIds again = points(1);
    assertThat(pending.acquire(first, 0)).isEqualTo(2);
    assertThat(pending.acquire(again, 0, 1)).isFalse();
    CompletableFuture<Boolean> second =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return pending.acquire(again, 0, TimeUnit.MINUTES.toMillis(1));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    pending.release(first, 1, 2);
    assertThat(second).isNotDone();
    pending.release(first, 0, 1);
    assertThat(second.get(5, TimeUnit.MINUTES)).isTrue();
    assertThat(pending.acquire(again, 0, 1)).isFalse();
  }

  @Test
  void elementsUpToTheFirstThatIsOutAreTakenIn() throws Exception {
    CellIds out = points(3);
    CellIds message = points(1, 2, 3, 4, 1);
    pending.acquire(out, 0);
    assertThat(pending.acquire(message, 0)).isEqualTo(2);
    assertThat(pending.acquire(message, 2)).isEqualTo(2);
    pending.release(out, 0, 1);
    assertThat(pending.acquire(message, 2)).describedAs("the last is the first again").isEqualTo(4);
    pending.release(message, 0, 4);
    assertThat(pending.acquire(message, 4)).isEqualTo(5);
  }

  @Test
  void anElementOfSeveralCellsWaitsForEachAndTakesAllOrNone() throws Exception {
    CellIds sum = TestCells.of(aggregate("SUM", 3601));
    CellIds count = TestCells.of(aggregate("COUNT", 7199));
    CellIds both =
        TestCells.of(
            "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"m\",\"tags\":{\"a\":\"b\"},"
                + "\"timestamp\":3600,\"interval\":\"1h\",\"values\":{\"sum\":1,\"count\":1}}");
    assertThat(pending.acquire(sum, 0)).isEqualTo(1);
    assertThat(pending.acquire(count, 0)).describedAs("of another cell").isEqualTo(1);
    assertThat(pending.acquire(both, 0)).isZero();
    pending.release(sum, 0, 1);
    assertThat(pending.acquire(both, 0)).isZero();
    assertThat(pending.acquire(sum, 0)).describedAs("free").isEqualTo(1);
    pending.release(sum, 0, 1);
    pending.release(count, 0, 1);
    assertThat(pending.acquire(both, 0)).isEqualTo(1);
    assertThat(pending.acquire(sum, 0)).isZero();
    assertThat(pending.acquire(count, 0)).isZero();
  }

  private static String aggregate(String aggregator, int time) {
    return "{\"type\":\"Aggregate\",\"metric\":\"m\",\"tags\":{\"a\":\"b\"},\"timestamp\":"
        + time
        + ",\"interval\":\"1h\",\"aggregator\":\""
        + aggregator
        + "\",\"value\":1}";
  }
}
