package io.tsdbsuite.rollup.sink;

import io.tsdbsuite.rollup.rate.Leases;
import io.tsdbsuite.rollup.report.RunIdentity;
import io.tsdbsuite.rollup.report.RunProof;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * Creates the sinks of a job. The driver calls {@code asOf} and {@code check}, ships the factory to
 * the tasks, and finally calls {@code commit} or {@code abort} on its own copy.
 */
public interface SinkFactory extends Serializable {

  /**
   * Sets the timestamp of all rollups; the driver calls it before {@link #check}.
   *
   * @param millis since the epoch
   */
  void asOf(long millis);

  /**
   * Checks on the driver, before any work, that the destination is writable, and claims it.
   *
   * @throws SinkException if it is not; the message names the object, the rule and the value found
   */
  void check() throws SinkException;

  /**
   * Known properties of the destination, by names for messages. A resumed run must find the same
   * properties. Empty before {@link #check}, or if nothing is known.
   */
  default Map<String, String> identity() {
    return Map.of();
  }

  /** Warnings of {@link #check}: allowed but dangerous settings. */
  default List<String> warnings() {
    return List.of();
  }

  /**
   * Maximum of rollups in one message. If it is more than 1, the number of messages does not follow
   * from the number of rollups.
   */
  default int rollupsPerMessage() {
    return 1;
  }

  /** Least number of messages or lines for so many rollups. */
  default long leastMessages(long rollups) {
    return (rollups + rollupsPerMessage() - 1) / rollupsPerMessage();
  }

  /** Limit for all tasks of a job together, messages per second; 0 = no limit. */
  default double messagesPerSecond() {
    return 0;
  }

  /** Returns the factory for tasks that share {@link #messagesPerSecond} through these leases. */
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

  /** Whether points need the names of their series; otherwise they have only its UIDs. */
  default boolean wantsNames() {
    return true;
  }

  /**
   * Whether the output of a finished task survives a failed run, so that a resumed run need not
   * emit it again.
   */
  boolean keepsFinished();

  /** Whether a stored rollup can be taken back. */
  boolean takesBack();

  /**
   * Location of a successful run's output, by the names of the report, if the run chose the
   * location.
   */
  default Map<String, String> output() {
    return Map.of();
  }

  /**
   * Publishes the output of the job.
   *
   * @param results one for each partition, from its successful attempt
   * @param run identity of the run
   * @throws SinkException if the commit failed; the caller must then call {@link #abort()}
   */
  void commit(List<SinkResult> results, RunIdentity run) throws SinkException;

  /**
   * Sets what the rollups of the run prove; the driver calls it before {@link #commit}. Sinks whose
   * output has no place for it ignore it.
   */
  default void proof(RunProof proof) {}

  /** Removes the job's output as far as possible. Never throws. */
  void abort();
}
