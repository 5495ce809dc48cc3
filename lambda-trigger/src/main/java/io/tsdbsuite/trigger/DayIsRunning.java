package io.tsdbsuite.trigger;

import java.time.LocalDate;

/**
 * An older execution runs a day of this one. Step Functions knows it by this class's full name,
 * {@code io.tsdbsuite.trigger.DayIsRunning}, and tries again later.
 */
public final class DayIsRunning extends RuntimeException {
  private static final long serialVersionUID = 1;

  DayIsRunning(LocalDate day, String execution) {
    super("day " + day + " is being run by execution " + execution + ", which was started before");
  }
}
