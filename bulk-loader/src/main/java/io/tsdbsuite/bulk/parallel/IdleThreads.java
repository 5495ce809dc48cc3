package io.tsdbsuite.bulk.parallel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reading threads without a part of their own, which help the others. Thread-safe. Each thread
 * calls {@link #leave} when it has no part left or fails, and may {@link #help} after that.
 */
public final class IdleThreads {
  /** Guards all pipelines, too; notified of each change. */
  final Object lock = new Object();

  private final List<BlockPipeline> pipelines = new ArrayList<>();
  private int reading;

  /**
   * All threads read at first.
   *
   * @param threads number of threads that will call {@link #leave}
   */
  public IdleThreads(int threads) {
    this.reading = threads;
  }

  /** The thread has nothing to read any more. */
  public void leave() {
    synchronized (lock) {
      reading--;
      lock.notifyAll();
    }
  }

  /** Helps until no thread reads. A failure of the work is thrown in the helped thread. */
  public void help() {
    for (Runnable job = await(); job != null; job = await()) {
      job.run();
    }
  }

  private @Nullable Runnable await() {
    synchronized (lock) {
      while (reading > 0) {
        for (BlockPipeline pipeline : pipelines) {
          Runnable job = pipeline.job();
          if (job != null) {
            return job;
          }
        }
        try {
          lock.wait();
        } catch (InterruptedException e) {
          // The reading ends without this thread.
          Thread.currentThread().interrupt();
          return null;
        }
      }
      return null;
    }
  }

  void open(BlockPipeline pipeline) {
    synchronized (lock) {
      pipelines.add(pipeline);
      lock.notifyAll();
    }
  }

  void close(BlockPipeline pipeline) {
    synchronized (lock) {
      pipelines.remove(pipeline);
    }
  }
}
