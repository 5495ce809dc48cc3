package io.tsdbsuite.ingest.consume;

import java.util.concurrent.ThreadFactory;

/** Creates named daemon threads, which do not keep the TSD running. */
final class DaemonThreads {
  private DaemonThreads() {}

  static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  static ThreadFactory named(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
