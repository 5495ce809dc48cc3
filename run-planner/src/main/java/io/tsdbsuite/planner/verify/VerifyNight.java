package io.tsdbsuite.planner.verify;

import io.tsdbsuite.planner.report.JobReport;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The days that a night verifies by exports alone, as on AWS: raw data by the snapshot that their
 * run has read, rollups by the snapshots of this night. Both fit only for the days of the last runs
 * before this night's snapshots: later runs, also failed ones, may have stored late data of earlier
 * days, which the snapshot of their own run lacks.
 *
 * @param runs the reports of their runs, by day
 * @param left days of the window that need a verification and that no night verifies any more,
 *     since the first one with a verification of whatever result: before it there was none
 */
public record VerifyNight(SortedMap<LocalDate, JobReport> runs, List<LocalDate> left) {
  /** Which runs had stored their rollups when the night's snapshots were taken. */
  @FunctionalInterface
  public interface Stored {
    /**
     * Whether the rollups of a run that had ended were in HBase, as far as the reports tell. What
     * is sent to Kafka counts as stored: a difference then is the consumers' lag.
     *
     * @throws IOException when the reports cannot be read
     */
    boolean isStored(LocalDate day, JobReport run) throws IOException;
  }

  /** Copies both. */
  public VerifyNight {
    runs = Collections.unmodifiableSortedMap(new TreeMap<>(runs));
    left = List.copyOf(left);
  }

  /**
   * Finds the days.
   *
   * @param taken creation time of the night's data snapshot; the rollup tables' are taken later.
   *     Days whose run ended after it, or whose rollups were stored after it, are left to the next
   *     night
   * @throws IOException when the reports cannot be read
   */
  public static VerifyNight of(
      VerifyDays days, VerifyDays.Window window, Instant taken, Stored stored) throws IOException {
    SortedMap<LocalDate, JobReport> before = new TreeMap<>();
    Instant newest = Instant.MIN;
    for (LocalDate day : window.days()) {
      Optional<JobReport> run =
          days.run(day)
              .filter(report -> report.ended().filter(end -> !end.isAfter(taken)).isPresent());
      Optional<Instant> read = run.flatMap(JobReport::dataSnapshotTime);
      if (read.isPresent()) {
        before.put(day, run.get());
        newest = read.get().isAfter(newest) ? read.get() : newest;
      }
    }
    SortedMap<LocalDate, JobReport> runs = new TreeMap<>();
    List<LocalDate> left = new ArrayList<>();
    boolean begun = false;
    for (Map.Entry<LocalDate, JobReport> entry : before.entrySet()) {
      LocalDate day = entry.getKey();
      JobReport run = entry.getValue();
      begun = begun || days.hasReport(day);
      if (!days.isDue(day, run)) {
        continue;
      }
      if (run.dataSnapshotTime().filter(newest::equals).isEmpty()) {
        if (begun) {
          left.add(day);
        }
      } else if (stored.isStored(day, run)) {
        runs.put(day, run);
      }
    }
    return new VerifyNight(runs, left);
  }
}
