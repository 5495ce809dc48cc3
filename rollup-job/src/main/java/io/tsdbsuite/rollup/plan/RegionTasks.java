package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.error.Defects;
import io.tsdbsuite.rollup.threads.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;

/**
 * Runs a storage query for many regions or files concurrently, on the driver or in a task.
 *
 * <p>The first failure ends it. The queries that run at that time are interrupted, and their end is
 * awaited as {@link Workers#close} says, so that they have closed their files, and another attempt
 * of a task does not read beside them.
 */
public final class RegionTasks {
  private static final int THREADS = 16;

  private RegionTasks() {}

  /**
   * Runs a query for each region or file.
   *
   * @param snapshot name of the snapshot, for messages
   * @return the results in the order of the regions or files
   * @throws JobException the exception of a query; outside, when storage fails
   * @throws Error of a query: on an executor Spark must see that memory is exhausted
   */
  public static <I, T> List<T> run(String snapshot, List<I> items, Workers.Work<I, T> query) {
    try (Workers workers = new Workers("rollup-planner", THREADS)) {
      return workers.mapUntilFailure(items, query);
    } catch (IOException | RuntimeException e) {
      if (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted()) {
        throw JobException.outside("interrupted while planning", e);
      }
      if (JobException.known(e) == null && !Defects.isOwnFault(e)) {
        throw JobException.of(StorageFailures.of("snapshot '" + snapshot + "'", e));
      }
      throw Defects.of(e);
    }
  }
}
