package io.tsdbsuite.metrics.plugin;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads of a plugin: those of HBase's client and of Netty serve the whole TSD. */
public final class PluginThreads {
  private PluginThreads() {}

  /** Starts a daemon thread, which does not keep the TSD running. */
  public static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** A pool whose threads begin with the first task and end when there are none: no shutdown. */
  public static ThreadPoolExecutor pool(int threads, String name) {
    return pool(threads, name, new LinkedBlockingQueue<>());
  }

  /**
   * A pool as above.
   *
   * @param waiting takes the tasks that wait, without a bound
   */
  public static ThreadPoolExecutor pool(int threads, String name, BlockingQueue<Runnable> waiting) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            waiting,
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
