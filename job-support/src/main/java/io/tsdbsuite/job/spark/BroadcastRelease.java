package io.tsdbsuite.job.spark;

import org.apache.spark.broadcast.Broadcast;

/** Frees broadcasts at the end of their use, on the driver. */
public final class BroadcastRelease {
  private BroadcastRelease() {}

  /**
   * Frees a broadcast that no task reads any more. A context that was stopped has freed it already;
   * then this is a no-op, so that the exception that ends the run is not hidden.
   */
  public static void release(Broadcast<?> broadcast) {
    try {
      broadcast.destroy();
    } catch (RuntimeException e) {
      // Spark has freed it, or ends.
    }
  }
}
