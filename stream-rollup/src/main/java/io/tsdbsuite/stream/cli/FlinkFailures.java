package io.tsdbsuite.stream.cli;

import io.tsdbsuite.job.JobException;
import io.tsdbsuite.stream.flink.StateVersionException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.kafka.common.KafkaException;

/** The exit code of a failure of the job. */
final class FlinkFailures {
  private FlinkFailures() {}

  /** Translates a failure by the first cause that tells the next step. */
  static JobException of(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof JobException known) {
        return known;
      }
      if (cause instanceof StateVersionException) {
        return JobException.usage("--from-checkpoint: " + cause.getMessage(), failure);
      }
      if (cause instanceof LinkageError && String.valueOf(cause.getMessage()).contains("flink")) {
        return JobException.usage(
            ("the jar must be built for the Flink that runs it, found Flink %s without what"
                    + " the jar calls: %s")
                .formatted(EnvironmentInformation.getVersion(), cause),
            failure);
      }
      if (cause instanceof KafkaException) {
        return JobException.outside("Kafka fails: " + cause.getMessage(), failure);
      }
      if (cause instanceof IOException || cause instanceof TimeoutException) {
        return JobException.outside("Flink or its storage fails: " + cause, failure);
      }
    }
    return JobException.defect("a defect of stream-rollup, please report it: " + failure, failure);
  }
}
