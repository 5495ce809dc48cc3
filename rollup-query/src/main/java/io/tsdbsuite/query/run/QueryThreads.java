package io.tsdbsuite.query.run;

import io.tsdbsuite.metrics.plugin.PluginThreads;
import io.tsdbsuite.query.limit.WaitingTask;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;

/**
 * The threads of the plugin, beside those of HBase's client and of Netty, which serve the whole
 * TSD.
 *
 * <ul>
 *   <li>{@link #rows} plan and decode: short tasks, a thread for each processor.
 *   <li>{@link #answers} aggregate and write JSON, which may take seconds: more threads than
 *       processors, among which the operating system divides the time, so that a small answer does
 *       not wait for the end of a large one.
 * </ul>
 *
 * <p>In both the tasks of the query that has read the fewest cells come first.
 */
public final class QueryThreads {
  private static final int ANSWERS = 16;

  private final Executor rows;
  private final Executor answers;

  /** Present in the threads of answers. */
  private final ThreadLocal<Boolean> answering = new ThreadLocal<>();

  /** Creates the pools; their threads begin with the first task and end when there are none. */
  public QueryThreads() {
    rows = pool(Runtime.getRuntime().availableProcessors(), "rollup-query-rows");
    answers = pool(ANSWERS, "rollup-query-answers");
  }

  private static Executor pool(int threads, String name) {
    return PluginThreads.pool(threads, name, new PriorityBlockingQueue<>());
  }

  /** For the plan and the rows of a query. */
  public Executor rows(QueryContext query) {
    return task -> rows.execute(new WaitingTask(query.cells(), task));
  }

  /**
   * For the answer of a query. What its own thread begins is run at once: a small answer has many
   * steps, and to hand each over would take longer than the steps.
   */
  public Executor answers(QueryContext query) {
    return task -> {
      if (answering.get() != null) {
        task.run();
        return;
      }
      answers.execute(new WaitingTask(query.cells(), () -> answer(task)));
    };
  }

  private void answer(Runnable task) {
    answering.set(true);
    try {
      task.run();
    } finally {
      answering.remove();
    }
  }
}
