package io.tsdbsuite.query.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class QueryThreadsTest {
  /** More cells than a test's waiting makes up for, 11 days. */
  private static final long FAR = 1_000_000_000_000L;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final QueryThreads threads = new QueryThreads();
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());

  private static QueryContext query(long cells) {
    QueryContext query = new QueryContext(QueryLimits.NONE, () -> 0);
    query.used(cells, 0);
    return query;
  }

  /** Waits for a latch; the thread cannot take another task meanwhile. */
  private void block(CountDownLatch until) {
    CountDownLatch begun = new CountDownLatch(1);
    threads
        .rows(query(0))
        .execute(
            () -> {
              begun.countDown();
              join(until);
            });
    join(begun);
  }

  private static void join(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSmallQueryDoesNotWaitForTheRowsOfLargeOnes() {
    CountDownLatch one = new CountDownLatch(1);
    CountDownLatch others = new CountDownLatch(1);
    block(one);
    for (int i = 1; i < Runtime.getRuntime().availableProcessors(); i++) {
      block(others);
    }
    for (int i = 0; i < 3; i++) {
      String name = "large " + i;
      threads.rows(query(FAR)).execute(() -> done.add(name));
    }
    threads.rows(query(10)).execute(() -> done.add("small"));
    one.countDown();
    Await.until("all tasks to be done", PATIENCE, () -> done.size() == 4);
    others.countDown();
    assertThat(done).containsExactly("small", "large 0", "large 1", "large 2");
  }

  @Test
  void anAnswerStaysInItsThread() {
    Executor answers = threads.answers(query(0));
    answers.execute(
        () -> {
          Thread outer = Thread.currentThread();
          answers.execute(() -> done.add("same " + (Thread.currentThread() == outer)));
          done.add("after");
        });
    Await.until("all tasks to be done", PATIENCE, () -> done.size() == 2);
    assertThat(done).containsExactly("same true", "after");
  }
}
