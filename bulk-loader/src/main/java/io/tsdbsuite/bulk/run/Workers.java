package io.tsdbsuite.bulk.run;

import io.tsdbsuite.bulk.error.Defects;
import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Threads with the same task; the first failure stops all and is thrown. */
final class Workers {
  private final String name;
  private final String doing;
  private final int threads;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  Workers(String name, int threads) {
    this(name, name, threads);
  }

  /**
   * @param doing the beginning of the message about a failure
   */
  Workers(String name, String doing, int threads) {
    this.name = name;
    this.doing = doing;
    this.threads = threads;
  }

  /** The work of each thread; it checks {@link #goesOn()} now and then. */
  interface Work {
    void run() throws IOException;
  }

  /** Whether no thread has failed. */
  boolean goesOn() {
    return !stopped.get();
  }

  /**
   * Runs the work in each thread, and waits for all of them.
   *
   * @throws JobException the first failure, as {@link JobException#of} judges it, an I/O failure
   *     outside
   */
  void run(Work work) {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(pool.submit(() -> guarded(work)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (InterruptedException e) {
      stopped.set(true);
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted while " + name + " threads were running", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a guarded task cannot fail", e);
    } finally {
      pool.shutdownNow();
    }
    rethrow();
  }

  private void guarded(Work work) {
    try {
      work.run();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      stopped.set(true);
    }
  }

  private void rethrow() {
    Throwable first = failure.get();
    if (first instanceof IOException e) {
      throw JobException.outside(doing + ": " + StorageFailures.reason(e), e);
    }
    if (first != null) {
      throw Defects.of(first);
    }
  }
}
