package io.tsdbsuite.nightly.report;

import io.tsdbsuite.job.ExitCode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** What a run has done for a day. */
public final class DayResult {
  private final LocalDate day;
  private final List<String> told = new ArrayList<>();
  private ExitCode exitCode = ExitCode.DONE;
  private boolean rolledUp;
  private boolean waiting;
  private String notCovered = "";

  DayResult(LocalDate day) {
    this.day = day;
  }

  /** The day, UTC. */
  public LocalDate day() {
    return day;
  }

  /** The day was rolled up. */
  public void rolledUp(String how) {
    rolledUp = true;
    told.add(how);
  }

  /** Something else was done for the day. */
  public void add(String what) {
    told.add(what);
  }

  /** A failure, or a reason why the day cannot be rolled up. */
  public void fail(ExitCode code, String why) {
    told.add(why);
    fail(code);
  }

  /** A failure that was told. */
  public void fail(ExitCode code) {
    exitCode = NightResult.worse(exitCode, code);
  }

  /** The day must wait for a later run. */
  public void waits(String why) {
    waiting = true;
    told.add(why);
  }

  /**
   * The coverage lacks the day, so queries read its raw data.
   *
   * @param reason why
   */
  public void notCovered(String reason) {
    notCovered = reason;
    told.add("not covered: " + reason);
  }

  /** Why the coverage lacks the day; empty if it has it, or this run has not looked. */
  public String notCovered() {
    return notCovered;
  }

  /** Whether this run has rolled up the day. */
  public boolean isRolledUp() {
    return rolledUp;
  }

  /** Whether the day must wait for a later run. */
  public boolean isWaiting() {
    return waiting;
  }

  /** Whether something has failed. */
  public boolean isFailed() {
    return exitCode != ExitCode.DONE;
  }

  /** The worst of the failures. */
  public ExitCode exitCode() {
    return exitCode;
  }

  /** {@code 2026-11-20: rolled up from tsdb-20261121, verified}. */
  public String text() {
    return day + ": " + String.join(", ", told);
  }

  /** Whether there is anything to say. */
  boolean isTold() {
    return !told.isEmpty();
  }
}
