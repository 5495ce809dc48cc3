package io.tsdbsuite.planner.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * A report of rollup-job.
 *
 * @param root the report without its finished partitions
 * @param finishedPartitions number of partitions that a resumed run would skip
 */
public record JobReport(ObjectNode root, int finishedPartitions) {
  /** The value of {@code report}. */
  private static final String NAME = "rollup-job";

  /**
   * The value of {@code v}. Reports of the versions before say in the same fields whether a day is
   * done; the job takes none of them for --resume or --since-report.
   */
  private static final int VERSION = 3;

  /** The reason why this is not a successful report of the day; empty when it is one. */
  public Optional<String> whyNotDone(LocalDate day) {
    Optional<String> whyNotOf = whyNotOf(day);
    if (whyNotOf.isPresent()) {
      return whyNotOf;
    }
    if (!text("/outcome").equals("done") || root.path("exitCode").asInt(-1) != 0) {
      String message = text("/message");
      return Optional.of(
          "its outcome is " + text("/outcome") + (message.isEmpty() ? "" : ": " + message));
    }
    if (!root.path("booksClose").asBoolean()) {
      return Optional.of("its books do not close");
    }
    return Optional.empty();
  }

  /**
   * Whether the run of the day read snapshots and ended with exit code 1. When the day is run
   * again, that run searches for late data since the last success before it.
   */
  public boolean endedWithBadInput(LocalDate day) {
    return whyNotOf(day).isEmpty()
        && text("/outcome").equals("bad_input")
        && dataSnapshotTime().isPresent();
  }

  /** The reason why this is not a report of the day at all. */
  private Optional<String> whyNotOf(LocalDate day) {
    if (!isOfThisJob() && !isOlder()) {
      return Optional.of(
          "it must be a report of %s, version 1 to %s, found: report %s, v %s"
              .formatted(NAME, VERSION, root.path("report"), root.path("v")));
    }
    if (!text("/window/from").equals(midnight(day))
        || !text("/window/to").equals(midnight(day.plusDays(1)))) {
      return Optional.of(
          "its window must be %s, found: %s to %s"
              .formatted(day, text("/window/from"), text("/window/to")));
    }
    return Optional.empty();
  }

  /** Whether it is of rollup-job, in the present version of its reports. */
  public boolean isOfThisJob() {
    return text("/report").equals(NAME) && formatVersion() == VERSION;
  }

  /** Whether it is of an earlier version of rollup-job. */
  public boolean isOlder() {
    return text("/report").equals(NAME) && formatVersion() >= 1 && formatVersion() < VERSION;
  }

  /** Whether it is of a later version of rollup-job, so that it cannot be read. */
  public boolean isNewer() {
    return text("/report").equals(NAME) && formatVersion() > VERSION;
  }

  /** The version of the report, 0 if it has none. */
  public int formatVersion() {
    return root.path("v").asInt();
  }

  /** Whether the run was killed, or ended because an outside system failed. */
  public boolean diedOrFailedOutside() {
    return text("/state").equals("running") || root.path("exitCode").asInt(-1) == 3;
  }

  /** Time when the run began; of a run that resumes another one, its own. */
  public Optional<Instant> started() {
    return instant("/started");
  }

  /** Time when the run ended, or when the report was last written. */
  public Optional<Instant> ended() {
    return instant(text("/state").equals("running") ? "/updated" : "/ended");
  }

  /** Wall-clock time of the run; zero if a time is missing. */
  public Duration duration() {
    return started().isPresent() && ended().isPresent()
        ? Duration.between(started().get(), ended().get())
        : Duration.ZERO;
  }

  /**
   * Whether the run read snapshots with these creation times. Names are not sufficient, because a
   * later snapshot may have the same name.
   *
   * @param uid ignored for a run that read names from a live HBase
   */
  public boolean isOf(Instant data, Instant uid) {
    return dataSnapshotTime().filter(data::equals).isPresent()
        && instant("/resume/snapshots/--uid-snapshot").orElse(uid).equals(uid);
  }

  /** Creation time of the data snapshot that the run read, by the clock of HBase's master. */
  public Optional<Instant> dataSnapshotTime() {
    return instant("/resume/snapshots/--data-snapshot");
  }

  /**
   * Whether this run of the day succeeded and proves rollups, once TSDs have stored what it sent:
   * then {@code rollup-job coverage add} has to look for them.
   */
  public boolean provesRollups(LocalDate day) {
    return whyNotDone(day).isEmpty() && !text("/proof/readAsOf").isEmpty();
  }

  /**
   * Whether this report of {@code rollup-job coverage add} has decided what a run proves. A look
   * that began before the run ended may have been at an earlier report of the day.
   */
  public boolean decidesCoverageOf(JobReport run) {
    Instant rolledUp = run.ended().orElse(Instant.MAX);
    return text("/exitCode").equals("0")
        && started().filter(started -> !started.isBefore(rolledUp)).isPresent();
  }

  /**
   * Whether this report of {@code rollup-job verify} says that what a run made is stored, and
   * nothing else. One that ended before the run may be about earlier rollups of the day.
   */
  public boolean verifies(JobReport run) {
    Instant rolledUp = run.ended().orElse(Instant.MAX);
    return text("/exitCode").equals("0")
        && ended().filter(ended -> !ended.isBefore(rolledUp)).isPresent();
  }

  /**
   * An option that determines the run's input or output; empty when the report does not have it.
   */
  public String option(String name) {
    return text("/resume/options/" + name);
  }

  /** The job's name and version, {@code rollup-job 0.1.0}. */
  public String version() {
    return text("/resume/version");
  }

  /** The count at a JSON pointer; 0 when there is none. */
  public long number(String pointer) {
    return root.at(pointer).asLong();
  }

  /** The sum of the counts of the object at a JSON pointer. */
  public long sum(String pointer) {
    long sum = 0;
    for (var count : root.at(pointer)) {
      sum += count.asLong();
    }
    return sum;
  }

  /** The text at a JSON pointer; empty when there is none. */
  public String text(String pointer) {
    return root.at(pointer).asText("");
  }

  private Optional<Instant> instant(String pointer) {
    try {
      return Optional.of(Instant.parse(text(pointer)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String midnight(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().toString();
  }
}
