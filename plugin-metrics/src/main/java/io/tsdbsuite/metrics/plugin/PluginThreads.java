package io.tsdbsuite.metrics.plugin;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads of a plugin: those of HBase's client and of Netty serve the whole TSD. */
public final class PluginThreads {
  private PluginThreads() {}

  /** A pool whose threads begin with the first task and end when there are none: no shutdown. */
  public static ThreadPoolExecutor pool(int threads, String name) {
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
}
