package io.tsdbsuite.bulk.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.Callable;

/**
 * The time of the machine, which does something once when a load has come to some point: the steps
 * of a load ask for the time as they begin and end.
 */
final class StepClock extends Clock {
  private final Clock time = Clock.systemUTC();
  private final Thread test = Thread.currentThread();
  private final Callable<Boolean> isThere;
  private final Runnable action;
  private int askedBefore;
  private boolean done;

  /**
   * @param isThere whether the load has come there
   * @param askedBefore how often the time is asked for from then on, before the action is due
   * @param action run in the thread of the load's steps, which must be the present one
   */
  StepClock(Callable<Boolean> isThere, int askedBefore, Runnable action) {
    this.isThere = isThere;
    this.askedBefore = askedBefore;
    this.action = action;
  }

  /** The point at which the journal of a work directory has an event. */
  StepClock(Path work, String event, int askedBefore, Runnable action) {
    this(() -> has(work.resolve("journal"), event), askedBefore, action);
  }

  private static boolean has(Path journal, String event) throws IOException {
    return Files.exists(journal)
        && Files.readString(journal).contains("\"event\":\"" + event + '"');
  }

  @Override
  public Instant instant() {
    if (!done && Thread.currentThread() == test && isThere() && askedBefore-- == 0) {
      done = true;
      action.run();
    }
    return time.instant();
  }

  boolean isDone() {
    return done;
  }

  private boolean isThere() {
    try {
      return isThere.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public ZoneId getZone() {
    return time.getZone();
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
