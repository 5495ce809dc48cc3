package io.tsdbsuite.query.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class WaitingTaskTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLION = 1_000_000;

  private final PriorityQueue<WaitingTask> waiting = new PriorityQueue<>();
  private final List<String> done = new ArrayList<>();

  private void add(String name, long cells, long nanoTime) {
    waiting.add(new WaitingTask(cells, nanoTime, () -> done.add(name)));
  }

  private List<String> order() {
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
    return done;
  }

  @Test
  void theQueryWithFewerCellsComesFirst() {
    add("large", MILLION, 0);
    add("small", 1_000, 0);
    add("small, later", 1_000, 0);
    assertThat(order()).containsExactly("small", "small, later", "large");
  }

  /** Dashboards of other users may come without end. */
  @Test
  void smallQueriesOvertakeALargeOneForASecondPerMillionCells() {
    add("large", 3 * MILLION, -SECOND);
    for (int second = -1; second < 6; second++) {
      add("small " + second, 0, second * SECOND);
    }
    assertThat(order())
        .containsExactly(
            "small -1", "small 0", "small 1", "large", "small 2", "small 3", "small 4", "small 5");
  }
}
