package io.tsdbsuite.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Starts servers in parallel. */
final class ParallelStart {
  /** Starts a server. */
  interface Start {
    void run() throws Exception;
  }

  private ParallelStart() {}

  /**
   * Runs all starts, and returns when each has ended.
   *
   * @throws ServerException of the first failed server, with the other failures suppressed
   */
  static void run(List<Start> starts) {
    if (starts.isEmpty()) {
      return;
    }
    ExecutorService executor = Executors.newFixedThreadPool(starts.size());
    RuntimeException failure = null;
    try {
      List<Callable<Object>> calls = new ArrayList<>();
      for (Start start : starts) {
        calls.add(
            () -> {
              start.run();
              return start;
            });
      }
      for (Future<Object> future : executor.invokeAll(calls)) {
        try {
          future.get();
        } catch (ExecutionException e) {
          failure =
              with(
                  failure,
                  e.getCause() instanceof RuntimeException cause
                      ? cause
                      : new ServerException("a server did not start", e.getCause()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = new ServerException("interrupted while servers started", e);
    } finally {
      executor.shutdownNow();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** The first failure, with the next one suppressed. */
  static RuntimeException with(@Nullable RuntimeException first, RuntimeException next) {
    if (first == null) {
      return next;
    }
    first.addSuppressed(next);
    return first;
  }
}
