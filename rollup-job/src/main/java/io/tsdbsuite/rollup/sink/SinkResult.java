package io.tsdbsuite.rollup.sink;

import java.io.Serializable;
import java.util.Optional;

/** The books of one finished task attempt. */
public final class SinkResult implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int partition;
  private final long attempt;
  private final long points;
  private final long messages;
  private final long bytes;
  private final String file;

  /**
   * @param partition the task's partition
   * @param attempt unique in the job
   * @param points emitted points
   * @param messages acknowledged messages or lines
   * @param bytes bytes of keys and messages before compression
   * @param file file to commit; null if there is none
   */
  public SinkResult(
      int partition, long attempt, long points, long messages, long bytes, String file) {
    this.partition = partition;
    this.attempt = attempt;
    this.points = points;
    this.messages = messages;
    this.bytes = bytes;
    this.file = file;
  }

  /** The task's partition. */
  public int partition() {
    return partition;
  }

  /** The attempt, unique in the job. */
  public long attempt() {
    return attempt;
  }

  /** Points that were emitted. */
  public long points() {
    return points;
  }

  /** Messages or lines that were acknowledged. */
  public long messages() {
    return messages;
  }

  /** Bytes of keys and messages before compression. */
  public long bytes() {
    return bytes;
  }

  /** The file to commit, if there is one. */
  public Optional<String> file() {
    return Optional.ofNullable(file);
  }

  @Override
  public String toString() {
    return "partition "
        + partition
        + ", attempt "
        + attempt
        + ": "
        + points
        + " points, "
        + messages
        + " messages, "
        + bytes
        + " bytes"
        + (file == null ? "" : " in " + file);
  }
}
