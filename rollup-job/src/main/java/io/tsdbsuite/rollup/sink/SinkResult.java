package io.tsdbsuite.rollup.sink;

import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The books of one finished task attempt.
 *
 * @param partition the task's partition
 * @param attempt unique in the job
 * @param points emitted points
 * @param messages acknowledged messages or lines
 * @param bytes bytes of keys and messages before compression
 * @param path file to commit; null if there is none
 */
public record SinkResult(
    int partition, long attempt, long points, long messages, long bytes, @Nullable String path)
    implements Serializable {

  /** The file to commit, if there is one. */
  public Optional<String> file() {
    return Optional.ofNullable(path);
  }

  @Override
  public String toString() {
    return "partition %s, attempt %s: %s points, %s messages, %s bytes%s"
        .formatted(partition, attempt, points, messages, bytes, path == null ? "" : " in " + path);
  }
}
