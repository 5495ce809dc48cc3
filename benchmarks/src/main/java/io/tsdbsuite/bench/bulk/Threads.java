package io.tsdbsuite.bench.bulk;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Splits work over several threads. */
final class Threads {
  /** One thread's share of the work. */
  @FunctionalInterface
  interface Share {
    /**
     * Processes a share.
     *
     * @param number index of the share, from 0
     * @return points in the share
     */
    long run(int number) throws Exception;
  }

  private Threads() {}

  /** CPU time of the calling thread, nanoseconds. */
  static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Runs all shares and returns the sum of their points. */
  static long run(int threads, Share share) throws InterruptedException, ExecutionException {
    List<Callable<Long>> shares = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      shares.add(() -> share.run(number));
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      long points = 0;
      for (Future<Long> done : pool.invokeAll(shares)) {
        points += done.get();
      }
      return points;
    } finally {
      pool.shutdownNow();
    }
  }
}
