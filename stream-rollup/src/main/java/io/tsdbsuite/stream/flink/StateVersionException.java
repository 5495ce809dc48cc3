package io.tsdbsuite.stream.flink;

import java.io.IOException;
import java.util.Collection;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/** A checkpoint does not fit: another version, intervals or topics. Flink does not try again. */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class StateVersionException extends IOException {
  private static final long serialVersionUID = 1L;

  private StateVersionException(String message) {
    super(message);
  }

  static StateVersionException version(int version) {
    return new StateVersionException(
        ("the checkpoint must have state of version 1 to %s, found version %s: use the"
                + " stream-rollup that wrote it")
            .formatted(SeriesStateSerializer.VERSION, version));
  }

  static StateVersionException intervals(String found, String wanted) {
    return new StateVersionException(
        "the checkpoint must have the intervals " + wanted + ", found " + found);
  }

  /** Flink goes on reading each partition that the checkpoint has, whatever topics are named. */
  static StateVersionException topics(Collection<String> removed) {
    return new StateVersionException(
        "the checkpoint must have no other topics than --input-topics, found also "
            + String.join(",", removed)
            + ": add what was found to --input-topics, or start without a checkpoint");
  }
}
