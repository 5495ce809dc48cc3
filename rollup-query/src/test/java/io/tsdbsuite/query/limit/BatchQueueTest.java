package io.tsdbsuite.query.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BatchQueueTest {
  /** More cells than a test's waiting makes up for, 11 days. */
  private static final long FAR = 1_000_000_000_000L;

  private final BatchQueue queue = new BatchQueue(2);
  private final List<String> asked = new ArrayList<>();
  private final Map<String, Long> cells = new HashMap<>();

  private void ask(String query, String scan) {
    queue.ask(cells.getOrDefault(query, 0L), () -> asked.add(query + scan));
  }

  @Test
  void scansWaitWhileThereAreManyBatchesAndTheQueryWithFewerCellsGoesOnFirst() {
    ask("a", "1");
    queue.arrived();
    ask("a", "2");
    queue.arrived();
    assertThat(asked).containsExactly("a1", "a2");
    cells.put("a", 2 * FAR);
    cells.put("b", FAR);
    for (String scan : List.of("3", "4", "5")) {
      ask("a", scan);
    }
    ask("b", "1");
    assertThat(asked).containsExactly("a1", "a2");
    queue.done();
    queue.arrived();
    queue.done();
    queue.arrived();
    assertThat(asked).containsExactly("a1", "a2", "b1", "a3");
    assertThat(queue.waiting()).isEqualTo(2);
  }

  /** Of two scans that go on one gets no answer, and is not waited for. */
  @Test
  void aScanWithoutAnAnswerHoldsNoOtherUp() {
    queue.arrived();
    queue.arrived();
    ask("dead", "1");
    ask("dead", "2");
    ask("b", "1");
    ask("b", "2");
    queue.done();
    queue.done();
    assertThat(asked).containsExactly("dead1", "dead2", "b1", "b2");
    ask("c", "1");
    assertThat(asked).endsWith("c1");
  }
}
