package io.tsdbsuite.trigger.start;

import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.time.LocalDate;
import java.util.List;

/** Starts the pipeline. */
public interface Starter {
  /** The result of a start. */
  enum Outcome {
    /** This call started the pipeline. */
    STARTED,
    /** The pipeline was started earlier for this export of the night. */
    ALREADY_STARTED
  }

  /**
   * Starts the pipeline unless it was already started under this name.
   *
   * @param name {@link ExecutionName}
   * @param days the days to roll up, the oldest first
   * @throws software.amazon.awssdk.core.exception.SdkException when it cannot be started now; a
   *     retry may succeed
   */
  Outcome start(String name, WholeNight night, List<LocalDate> days);
}
