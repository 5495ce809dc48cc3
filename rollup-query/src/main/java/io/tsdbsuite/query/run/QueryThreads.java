package io.tsdbsuite.query.run;

import io.tsdbsuite.metrics.plugin.PluginThreads;
import java.util.concurrent.Executor;

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

  private final Executor rows;
  private final Executor answers;

  /** Creates the pools; their threads begin with the first task and end when there are none. */
  public QueryThreads() {
    rows = PluginThreads.pool(Runtime.getRuntime().availableProcessors(), "rollup-query-rows");
    answers = PluginThreads.pool(ANSWERS, "rollup-query-answers");
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
