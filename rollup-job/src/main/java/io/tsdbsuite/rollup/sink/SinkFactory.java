package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.rollup.rate.Leases;
import io.tsdbsuite.rollup.report.RunIdentity;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * Makes the sinks of a job. The driver calls {@code asOf} and {@code check}, ships the factory to
 * the tasks, and calls {@code commit} or {@code abort} on its own copy in the end.
 */
public interface SinkFactory extends Serializable {

  /**
   * Takes note of the time that all rollups are of; the driver calls it before {@link #check}.
   *
   * @param millis since the epoch
   */
  void asOf(long millis);

  /**
   * Makes sure on the driver, before any work, that the sink can be written, and claims it.
   *
   * @throws SinkException if it can't; the message names the thing, the rule and the value found
   */
  void check() throws SinkException;

  /**
   * Looks at the sink as {@link #check} does, but claims and changes nothing.
   *
   * @throws SinkException as {@link #check}
   */
  default void look() throws SinkException {}

  /**
   * What was found out about the place that is written to, by names for messages: a run that goes
   * on with another one must find the same there. Empty before {@link #check}, or if nothing is
   * known.
   */
  default Map<String, String> identity() {
    return Map.of();
  }

  /** What {@link #check} or {@link #look} found that is allowed but dangerous. */
  default List<String> warnings() {
    return List.of();
  }

  /** Messages per second that all tasks of a job may send together; 0 = no limit. */
  default double messagesPerSecond() {
    return 0;
  }

  /** The factory for tasks that share {@link #messagesPerSecond} by these leases. */
  default SinkFactory limitedBy(Leases leases) {
    return this;
  }

  /**
   * Opens the sink of one task attempt. Nothing is connected or created before its first point.
   *
   * @param partition the task's partition, from 0
   * @param attempt a number that no other attempt of this job has
   */
  RollupSink open(int partition, long attempt);

  /** Whether points must come with the names of their series; if not, they have only its UIDs. */
  default boolean wantsNames() {
    return true;
  }

  /**
   * Whether what a finished task has emitted stays whatever becomes of its run, so that another run
   * need not emit it again.
   */
  boolean keepsFinished();

  /** Whether a rollup that is stored can be taken back. */
  boolean takesBack();

  /** Whether also one can be taken back that another task of the same run has emitted. */
  default boolean takesBackOwn() {
    return takesBack();
  }

  /** Where a run that ended well has its output, by the names of the report, if it chose that. */
  default Map<String, String> output() {
    return Map.of();
  }

  /**
   * Makes the output of the job valid.
   *
   * @param results one for each partition, of the attempt that counts
   * @param run what the run was asked to do
   * @throws SinkException if that failed; {@link #abort()} is to follow
   */
  void commit(List<SinkResult> results, RunIdentity run) throws SinkException;

  /** Removes what the job made, as far as that is possible. Never throws. */
  void abort();
}
