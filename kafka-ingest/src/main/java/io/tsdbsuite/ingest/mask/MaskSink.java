package io.tsdbsuite.ingest.mask;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes masks to the coverage table. */
public interface MaskSink {
  /** Adds masks to a set, on the writer's thread; may block. */
  @FunctionalInterface
  interface Source {
    /** Adds them. */
    void addTo(MaskSet masks) throws Exception;

    /** Called after HBase has acknowledged the set, on the writer's thread. */
    default void written(MaskSet masks) {}
  }

  /** Whether masks are written, or it is not known; not while the coverage table is missing. */
  default boolean isOn() {
    return true;
  }

  /**
   * Whether a late point has no mask, because raw points of its day may have expired.
   *
   * @param metric of the point; those before its floor are counted
   * @param hour seconds since the epoch
   * @param now milliseconds since the epoch
   * @param isFirst whether it is asked for the first time of this point, which is counted
   */
  default boolean leavesOut(String metric, long hour, long now, boolean isFirst) {
    return false;
  }

  /**
   * Writes masks; never blocks.
   *
   * @param done called once: with null when HBase has acknowledged them, or when the coverage table
   *     does not exist; else with the failure
   */
  void write(Source source, Consumer<@Nullable Throwable> done);
}
