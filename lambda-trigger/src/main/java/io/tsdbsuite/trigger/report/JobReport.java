package io.tsdbsuite.trigger.report;

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
 * @param finishedPartitions how many a resumed run would not read again
 */
public record JobReport(ObjectNode root, int finishedPartitions) {
  /** The value of {@code report}. */
  private static final String NAME = "rollup-job";

  /** The value of {@code v}. */
  private static final int VERSION = 3;

  /** Why this is no successful report of the day; empty when it is one. */
  public Optional<String> whyNotDone(LocalDate day) {
    if (!isOfThisJob()) {
      return Optional.of(
          "it must be a report of "
              + NAME
              + ", version "
              + VERSION
              + ", found: report "
              + root.path("report")
              + ", v "
              + root.path("v"));
    }
    if (!text("/window/from").equals(midnight(day))
        || !text("/window/to").equals(midnight(day.plusDays(1)))) {
      return Optional.of(
          "its window must be "
              + day
              + ", found: "
              + text("/window/from")
              + " to "
              + text("/window/to"));
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

  /** Whether it has a form that is known here. */
  public boolean isOfThisJob() {
    return text("/report").equals(NAME) && root.path("v").asInt() == VERSION;
  }

  /** Whether the run ended because it was killed, or because an outside system failed. */
  public boolean diedOrFailedOutside() {
    return text("/state").equals("running") || root.path("exitCode").asInt(-1) == 3;
  }

  /** When the run ended, or the report was last written. */
  public Optional<Instant> ended() {
    return instant(text("/state").equals("running") ? "/updated" : "/ended");
  }

  /** Wall clock of the run. */
  public Duration duration() {
    Optional<Instant> started = instant("/started");
    return started.isPresent() && ended().isPresent()
        ? Duration.between(started.get(), ended().get())
        : Duration.ZERO;
  }

  /**
   * Whether the run read snapshots that were taken at these times. The name alone does not tell,
   * for it may have been given to another one since.
   *
   * @param uid of no matter to a run that had its names from a live HBase
   */
  public boolean isOf(Instant data, Instant uid) {
    return dataSnapshotTime().filter(data::equals).isPresent()
        && instant("/resume/snapshots/--uid-snapshot").orElse(uid).equals(uid);
  }

  /** When the data snapshot that the run read was taken, by the clock of HBase's master. */
  public Optional<Instant> dataSnapshotTime() {
    return instant("/resume/snapshots/--data-snapshot");
  }

  /** An option that decides what the run read and emitted; empty when it has none of this name. */
  public String option(String name) {
    return text("/resume/options/" + name);
  }

  /** The job's name and version, {@code rollup-job 0.1.0}. */
  public String version() {
    return text("/resume/version");
  }

  /** A count, by its place in the report; 0 when there is none. */
  public long number(String pointer) {
    return root.at(pointer).asLong();
  }

  /** The sum of the counts in an object, by its place in the report. */
  public long sum(String pointer) {
    long sum = 0;
    for (var count : root.at(pointer)) {
      sum += count.asLong();
    }
    return sum;
  }

  /** A text, by its place in the report; empty when there is none. */
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
