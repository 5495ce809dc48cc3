package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.ingest.message.MessageReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PendingCellsTest {
  private static final String ROLLUP =
      "{\"type\":\"Rollup\",\"v\":1,\"metric\":\"m\",\"tags\":{\"a\":\"1\",\"b\":\"2\"},"
          + "\"timestamp\":3600,\"interval\":\"1h\",\"values\":{\"sum\":1}}";
  private static final String AGGREGATE =
      "{\"type\":\"Aggregate\",\"metric\":\"m\",\"tags\":{\"a\":\"1\",\"b\":\"2\"},"
          + "\"timestamp\":3600,\"interval\":\"1h\",\"aggregator\":\"SUM\",\"value\":1}";

  private final PendingCells pending = new PendingCells();

  private static long id(String message) throws Exception {
    return PendingCells.id(
        new MessageReader().read(message.getBytes(StandardCharsets.UTF_8)).get(0));
  }

  @Test
  void valuesOfTheSameCellsHaveOneId() throws Exception {
    assertThat(id(ROLLUP.replace("\"sum\":1", "\"sum\":70000"))).isEqualTo(id(ROLLUP));
    assertThat(id(ROLLUP.replace("\"a\":\"1\",\"b\":\"2\"", "\"b\":\"2\",\"a\":\"1\"")))
        .isEqualTo(id(ROLLUP));
    assertThat(id(AGGREGATE.replace(":1}", ":70000}"))).isEqualTo(id(AGGREGATE));
  }

  @Test
  void otherCellsHaveOthers() throws Exception {
    Set<Long> ids = new TreeSet<>();
    ids.add(id(ROLLUP));
    ids.add(id(ROLLUP.replace("3600", "7200")));
    ids.add(id(ROLLUP.replace("1h", "10m")));
    ids.add(id(ROLLUP.replace("\"1\"", "\"2\"")));
    ids.add(id(ROLLUP.replace("\"m\"", "\"n\"")));
    ids.add(id(AGGREGATE));
    ids.add(id(AGGREGATE.replace("SUM", "COUNT")));
    ids.add(id(AGGREGATE.replace("\"interval\"", "\"groupByAggregator\":\"MAX\",\"interval\"")));
    ids.add(id("{\"type\":\"Metrics\"}"));
    assertThat(ids).hasSize(9);
  }

  @Test
  void theSecondWaitsForTheAnswerOfTheFirst() throws Exception {
    long[] first = {1, 2};
    assertThat(pending.enter(first, 0)).isEqualTo(2);
    assertThat(pending.enter(1, 1)).isFalse();
    CompletableFuture<Boolean> second =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return pending.enter(1, TimeUnit.MINUTES.toMillis(1));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    pending.leave(first, 1, 2);
    assertThat(second).isNotDone();
    pending.leave(first, 0, 1);
    assertThat(second.get(1, TimeUnit.MINUTES)).isTrue();
    assertThat(pending.enter(1, 1)).isFalse();
  }

  @Test
  void elementsUpToTheFirstThatIsOutAreTakenIn() {
    long[] out = {3};
    long[] message = {1, 2, 3, 4, 1};
    pending.enter(out, 0);
    assertThat(pending.enter(message, 0)).isEqualTo(2);
    assertThat(pending.enter(message, 2)).isEqualTo(2);
    pending.leave(out, 0, 1);
    assertThat(pending.enter(message, 2)).describedAs("the last is the first again").isEqualTo(4);
    pending.leave(message, 0, 4);
    assertThat(pending.enter(message, 4)).isEqualTo(5);
  }
}
