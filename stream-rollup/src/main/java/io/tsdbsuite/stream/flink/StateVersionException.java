package io.tsdbsuite.stream.flink;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/** A checkpoint does not fit: another version or other intervals. Flink does not try again. */
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
}
