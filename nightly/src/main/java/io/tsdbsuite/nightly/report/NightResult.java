package io.tsdbsuite.nightly.report;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.JobException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a run has done: for each day, and besides. */
public final class NightResult {
  /**
   * A defect and a wrong configuration need a person before a repetition can help, so they win over
   * an outside system that failed.
   */
  private static final List<ExitCode> ASCENDING =
      List.of(ExitCode.DONE, ExitCode.BAD_INPUT, ExitCode.OUTSIDE, ExitCode.USAGE, ExitCode.DEFECT);

  /** What a policy of tiers calls the data table; other tables have the name of their interval. */
  public static final String RAW = "raw";

  /** What was done with the data of a table and day of an entry of the policy of tiers. */
  public enum TierDay {
    /** They were deleted. */
    DELETED,
    /** They were proven, and will be deleted. */
    PROVEN,
    /** They cannot be proven, and stay. */
    REFUSED
  }

  /**
   * A day of an entry of the policy of tiers.
   *
   * @param table {@link #RAW}, or an interval
   * @param day yyyy-MM-dd, UTC; of longer rows the first
   * @param match of the entry
   * @param reason why it is refused; otherwise empty
   */
  record EntryDay(TierDay done, String table, String day, String match, String reason) {
    boolean isRaw() {
      return table.equals(RAW);
    }
  }

  private final List<EntryDay> tierDays = new ArrayList<>();
  private final SortedMap<LocalDate, DayResult> days = new TreeMap<>();
  private final List<String> notes = new ArrayList<>();
  private ExitCode exitCode = ExitCode.DONE;

  /** Nothing has been done yet. */
  public NightResult() {}

  /** The result of a day, created with the first call. */
  public DayResult day(LocalDate day) {
    return days.computeIfAbsent(day, DayResult::new);
  }

  /** The days about which there is something to say, the oldest first. */
  public Collection<DayResult> days() {
    return days.values().stream().filter(DayResult::isTold).toList();
  }

  /** Adds something that was done, which concerns no single day. */
  public void add(String note) {
    notes.add(note);
  }

  /** Adds what was done with the data of a day; the parameters are those of {@link EntryDay}. */
  public void tierDay(TierDay done, String table, String day, String match, String reason) {
    tierDays.add(new EntryDay(done, table, day, match, reason));
  }

  /** The days of which something was done. */
  List<EntryDay> tierDays(TierDay done) {
    return tierDays.stream().filter(day -> day.done == done).toList();
  }

  /** Adds a failure that concerns no single day. */
  public void fail(JobException failure) {
    notes.add(failure.getMessage());
    exitCode = worse(exitCode, failure.exitCode());
  }

  /** The worst of all failures. */
  public ExitCode exitCode() {
    ExitCode worst = exitCode;
    for (DayResult day : days.values()) {
      worst = worse(worst, day.exitCode());
    }
    return worst;
  }

  /** One line about each day, and about the rest. */
  public String line() {
    List<String> all = new ArrayList<>();
    days().forEach(day -> all.add(day.text()));
    for (boolean raw : new boolean[] {true, false}) {
      for (TierDay done : TierDay.values()) {
        String of =
            tierDays(done).stream()
                .filter(day -> day.isRaw() == raw)
                .map(day -> day.day + " of " + (raw ? "" : day.table + " of ") + day.match)
                .collect(Collectors.joining(", "));
        if (!of.isEmpty()) {
          all.add(
              "%s %s: %s"
                  .formatted(
                      raw ? "raw data" : "stored rollups",
                      done.name().toLowerCase(Locale.ROOT),
                      of));
        }
      }
    }
    all.addAll(notes);
    String text = all.isEmpty() ? "no day is due" : String.join("; ", all);
    return "rollup-nightly: exit code %s; %s"
        .formatted(exitCode().code(), text.replaceAll("\\s*\\R\\s*", " "));
  }

  /** Which of two exit codes a run ends with. */
  static ExitCode worse(ExitCode a, ExitCode b) {
    return ASCENDING.indexOf(a) >= ASCENDING.indexOf(b) ? a : b;
  }
}
