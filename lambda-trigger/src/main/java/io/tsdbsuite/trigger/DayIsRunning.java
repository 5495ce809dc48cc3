package io.tsdbsuite.trigger;

import java.time.LocalDate;

/**
 * An older execution is running a day of this execution. The state machine matches this class's
 * full name, {@code io.tsdbsuite.trigger.DayIsRunning}, and retries later.
 */
public final class DayIsRunning extends RuntimeException {
  private static final long serialVersionUID = 1;

  DayIsRunning(LocalDate day, String execution) {
    super("day " + day + " is being run by execution " + execution + ", which was started earlier");
  }
}
