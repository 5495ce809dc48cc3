package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.Defects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a storage query for many regions concurrently, on the driver or in a task. */
public final class RegionTasks {
  private static final int THREADS = 16;

  private RegionTasks() {}

  /** A query about a region. */
  @FunctionalInterface
  public interface Task<T> {
    /** Returns the result for one region; called by several threads. */
    T run(SnapshotRegion region) throws IOException;
  }

  /**
   * Runs a query for each region.
   *
   * @param snapshot name of the snapshot, for messages
   * @return the results in the order of the regions
   * @throws JobException the exception of a task; outside, when storage fails
   * @throws Error of a task: on an executor Spark must see that memory is exhausted
   */
  public static <T> List<T> run(String snapshot, List<SnapshotRegion> regions, Task<T> task) {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "rollup-planner");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<T>> running = new ArrayList<>(regions.size());
      for (SnapshotRegion region : regions) {
        running.add(pool.submit(() -> task.run(region)));
      }
      List<T> answers = new ArrayList<>(regions.size());
      for (Future<T> answer : running) {
        answers.add(await(snapshot, answer));
      }
      return answers;
    } finally {
      pool.shutdownNow();
    }
  }

  private static <T> T await(String snapshot, Future<T> answer) {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw JobException.outside("interrupted while planning", e);
    } catch (ExecutionException e) {
      Throwable failure = Objects.requireNonNullElse(e.getCause(), e);
      if (JobException.known(failure) == null
          && failure instanceof Exception cause
          && !Defects.isOwnFault(cause)) {
        throw JobException.of(StorageFailures.of("snapshot '" + snapshot + "'", cause));
      }
      if (failure instanceof Error error) {
        throw error;
      }
      throw Defects.of(failure);
    }
  }
}
