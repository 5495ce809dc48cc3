package io.tsdbsuite.rollup.prune;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads for requests to the file system, most of whose time is waiting. */
final class Workers implements AutoCloseable {
  private static final int THREADS = 16;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          work -> {
            Thread thread = new Thread(work, "prune");
            thread.setDaemon(true);
            return thread;
          });

  /** Work on one item. */
  @FunctionalInterface
  interface Work<T, R> {
    /** Does it. */
    R on(T item) throws IOException;
  }

  /**
   * Works on all items, several at a time.
   *
   * @return the results in the order of the items
   * @throws IOException the first failure, when all work has ended
   */
  <T, R> List<R> map(Collection<T> items, Work<T, R> work) throws IOException {
    List<Callable<R>> tasks = new ArrayList<>(items.size());
    items.forEach(item -> tasks.add(() -> work.on(item)));
    List<R> results = new ArrayList<>(items.size());
    Throwable failure = null;
    try {
      for (Future<R> each : threads.invokeAll(tasks)) {
        try {
          results.add(each.get());
        } catch (ExecutionException e) {
          failure = failure == null ? e.getCause() : failure;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    return results;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
