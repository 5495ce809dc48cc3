package io.tsdbsuite.trigger.start;

import io.tsdbsuite.trigger.snapshot.WholeNight;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;

/** Starts the pipeline. */
public interface Starter {
  /** What came of it. */
  enum Outcome {
    /** It was started by this call. */
    STARTED,
    /** It was started before, by this export of the night. */
    ALREADY_STARTED
  }

  /**
   * Starts the pipeline unless that was done under this name.
   *
   * @param name {@link ExecutionName}
   * @param days to be rolled up, the oldest first
   * @throws StartException when it cannot be started now, but perhaps later
   * @throws IOException when S3's answer breaks off
   */
  Outcome start(String name, WholeNight night, List<LocalDate> days) throws IOException;
}
