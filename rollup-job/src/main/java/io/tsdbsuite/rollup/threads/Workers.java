package io.tsdbsuite.rollup.threads;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads for requests to storage or HBase, most of whose time is waiting. */
public final class Workers implements AutoCloseable {
  private final ExecutorService threads;

  /** Work on one item. */
  @FunctionalInterface
  public interface Work<T, R> {
    /** Does it; called by several threads. */
    R on(T item) throws IOException;
  }

  /**
   * @param name of the threads
   * @param number how many items are worked on at the same time
   */
  public Workers(String name, int number) {
    threads =
        Executors.newFixedThreadPool(
            number,
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Works on all items; a failure does not keep the others from being worked on.
   *
   * @return the results in the order of the items
   * @throws IOException the failure of the first item that failed, when all work has ended; so are
   *     other exceptions and errors
   */
  public <T, R> List<R> map(Collection<T> items, Work<T, R> work) throws IOException {
    return map(items, work, true);
  }

  /**
   * Works on items until one fails. A failure interrupts the work that has begun; {@link #close}
   * waits for its end.
   *
   * @return the results in the order of the items
   * @throws IOException the first failure, at once; so are other exceptions and errors
   */
  public <T, R> List<R> mapUntilFailure(Collection<T> items, Work<T, R> work) throws IOException {
    return map(items, work, false);
  }

  private <T, R> List<R> map(Collection<T> items, Work<T, R> work, boolean all) throws IOException {
    CompletionService<R> ended = new ExecutorCompletionService<>(threads);
    List<Future<R>> running = new ArrayList<>(items.size());
    items.forEach(item -> running.add(ended.submit(() -> work.on(item))));
    try {
      for (int i = 0; i < running.size(); i++) {
        Future<R> next = ended.take();
        if (!all) {
          // In the order of the items, a failure would wait for slow work that began before it.
          R unused = next.get();
        }
      }
      List<R> results = new ArrayList<>(items.size());
      for (Future<R> each : running) {
        results.add(each.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      running.forEach(each -> each.cancel(true));
    }
  }

  /**
   * Interrupts the work that has begun and waits for its end, because it uses what the caller
   * closes next. Storage and HBase clients end a request soon after an interrupt; for one that does
   * not, it waits a minute at most, so that a failure is known.
   */
  @Override
  public void close() {
    threads.shutdownNow();
    try {
      boolean unused = threads.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
