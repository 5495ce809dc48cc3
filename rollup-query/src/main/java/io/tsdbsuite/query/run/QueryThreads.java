package io.tsdbsuite.query.run;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

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
 */
public final class QueryThreads {
  private static final int ANSWERS = 16;

  private final ThreadPoolExecutor rows;
  private final ThreadPoolExecutor answers;

  /** Creates the pools; their threads begin with the first task and end when there are none. */
  public QueryThreads() {
    rows = pool(Runtime.getRuntime().availableProcessors(), "rollup-query-rows");
    answers = pool(ANSWERS, "rollup-query-answers");
  }

  private static ThreadPoolExecutor pool(int threads, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** For plans and rows. */
  public Executor rows() {
    return rows;
  }

  /** For answers. */
  public Executor answers() {
    return answers;
  }
}
