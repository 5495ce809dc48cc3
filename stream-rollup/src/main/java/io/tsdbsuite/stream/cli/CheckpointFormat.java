package io.tsdbsuite.stream.cli;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointKeyedStateHandle;

/**
 * Which state backend can read a checkpoint. With the wrong one a job would fail and start again
 * without end.
 */
enum CheckpointFormat {
  /** A savepoint, or a checkpoint without series. */
  ANY,
  /** A checkpoint of {@code --state HEAP}. */
  HEAP,
  /** A checkpoint of {@code --state ROCKSDB}. */
  ROCKSDB;

  /**
   * Reads the format.
   *
   * @param in the content of a file _metadata
   * @param path the file, for messages
   * @throws IOException when it is none, or of a newer version of Flink
   */
  static CheckpointFormat read(InputStream in, String path) throws IOException {
    CheckpointMetadata metadata =
        Checkpoints.loadCheckpointMetadata(
            new DataInputStream(in), CheckpointFormat.class.getClassLoader(), path);
    for (OperatorState operator : metadata.getOperatorStates()) {
      for (OperatorSubtaskState task : operator.getStates()) {
        for (KeyedStateHandle state : task.getManagedKeyedState()) {
          CheckpointFormat format = of(state);
          if (format != ANY) {
            return format;
          }
        }
      }
    }
    return ANY;
  }

  private static CheckpointFormat of(KeyedStateHandle state) {
    if (state instanceof SavepointKeyedStateHandle) {
      return ANY;
    }
    if (state instanceof IncrementalKeyedStateHandle) {
      return ROCKSDB;
    }
    return state instanceof KeyGroupsStateHandle ? HEAP : ANY;
  }

  /** Whether a backend, by Flink's name, can read it; those of other names are not judged. */
  boolean isReadBy(String backend) {
    return switch (this) {
      case ANY -> true;
      case HEAP -> !backend.equals("rocksdb");
      case ROCKSDB -> !backend.equals("hashmap");
    };
  }
}
