package io.tsdbsuite.planner.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.planner.MemoryReports;
import io.tsdbsuite.planner.SampleReport;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.SnapshotTimes;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nights in which days fail, in each order: a run that succeeds reads each change of each row, and
 * no run searches the rows of a day that runs before it.
 */
class FailingNightsTest {
  /** Day 0, which is done; night n has the snapshots from which day n is the last to be read. */
  private static final LocalDate FIRST = LocalDate.parse("2026-11-10");

  /** The days from 1 that fail in some nights. */
  private static final int FAILING = 4;

  private static final int MOST_FAILURES = 2;

  /** After the last failure each day has been run again. */
  private static final int NIGHTS = FAILING + MOST_FAILURES + 1;

  private static final RunSettings SETTINGS =
      new RunSettings(
          "hdfs://nn/hbase",
          "tsdb",
          "/opt/rollup-job.jar",
          Optional.empty(),
          Optional.of(new KafkaTarget("b1:9092", "rollups", "")),
          new CommandOptions(List.of()),
          Map.of(),
          true);

  private MemoryReports reports = new MemoryReports();
  private final List<Success> successes = new ArrayList<>();

  /** How many runs of a day will fail. */
  private int[] failures = new int[0];

  private static LocalDate date(int day) {
    return FIRST.plusDays(day);
  }

  private static Instant snapshot(int night) {
    return date(night + 1).atTime(LocalTime.of(2, 0)).toInstant(ZoneOffset.UTC);
  }

  private static SnapshotTimes times(int night) {
    return new SnapshotTimes(snapshot(night), snapshot(night).plusSeconds(60), 1);
  }

  private record Success(int day, int night, Optional<Instant> since) {
    /** Whether the run has read a change of a day's row since the snapshots of the night before. */
    boolean hasRead(int row, int change) {
      return night >= change
          && (day == row
              || (day > row && since.filter(at -> !at.isAfter(snapshot(change - 1))).isPresent()));
    }
  }

  private boolean isDone(int day) {
    return successes.stream().anyMatch(success -> success.day == day);
  }

  private List<Integer> notDone(int night) {
    List<Integer> days = new ArrayList<>();
    for (int day = 1; day <= night; day++) {
      if (!isDone(day)) {
        days.add(day);
      }
    }
    return days;
  }

  private static PlannedRun plan(RunPlanner planner, int night, int day, List<Integer> before)
      throws IOException {
    String date = date(night + 1).toString().replace("-", "");
    PlannedRun run =
        planner.plan(
            new Night(date(night + 1), "tsdb-" + date, "tsdb-uid-" + date),
            times(night),
            date(day),
            before.stream().map(FailingNightsTest::date).toList());
    for (int each : before) {
      // Its rows are as old as the snapshots of its own night.
      assertThat(run.lateData().since().filter(since -> since.isBefore(snapshot(each))))
          .as("day %d in night %d, after day %d", day, night, each)
          .isEmpty();
    }
    return run;
  }

  private void run(PlannedRun run, int night, int day, int exitCode) {
    SampleReport report =
        SampleReport.done(date(day), times(night).data(), times(night).uid())
            .option("--changed-since", run.lateData().since().map(Instant::toString).orElse(""));
    if (day < failures.length && failures[day] > 0) {
      failures[day]--;
      reports.put(date(day), report.failed(exitCode));
    } else {
      reports.put(date(day), report);
      successes.add(new Success(day, night, run.lateData().since()));
    }
  }

  /** As on AWS: all days of a night are planned before the first one runs. */
  private void plannedNight(int night, int attempts, int exitCode) throws IOException {
    RunPlanner planner = new RunPlanner(SETTINGS, reports);
    for (int attempt = 0; attempt < attempts; attempt++) {
      List<Integer> days = notDone(night);
      List<PlannedRun> runs = new ArrayList<>();
      for (int day : days) {
        runs.add(plan(planner, night, day, days.subList(0, runs.size())));
      }
      for (int i = 0; i < runs.size(); i++) {
        run(runs.get(i), night, days.get(i), exitCode);
      }
    }
  }

  /** As rollup-nightly: a day is planned when the days before it have run. */
  private void nightly(int night) throws IOException {
    RunPlanner planner = new RunPlanner(SETTINGS, reports, day -> true, CoverageRefresh.NONE);
    for (int day : notDone(night)) {
      run(plan(planner, night, day, List.of()), night, day, 1);
    }
  }

  private interface OneNight {
    void run(int night) throws IOException;
  }

  private void requireAllChanges(OneNight oneNight) throws IOException {
    int patterns = (int) Math.pow(MOST_FAILURES + 1, FAILING);
    for (int pattern = 0; pattern < patterns; pattern++) {
      failures = new int[FAILING + 1];
      int rest = pattern;
      for (int day = 1; day <= FAILING; day++) {
        failures[day] = rest % (MOST_FAILURES + 1);
        rest /= MOST_FAILURES + 1;
      }
      String shown = Arrays.toString(failures);
      reports = new MemoryReports();
      reports.put(
          date(0),
          SampleReport.done(date(0), times(0).data(), times(0).uid())
              .option("--changed-since", snapshot(-1).toString()));
      successes.clear();
      for (int night = 1; night <= NIGHTS; night++) {
        oneNight.run(night);
      }
      for (int row = 0; row <= NIGHTS; row++) {
        for (int change = row + 1; change <= NIGHTS; change++) {
          int changed = row;
          int before = change;
          assertThat(successes)
              .as("failures %s: day %d, changed before night %d", shown, row, change)
              .anyMatch(success -> success.hasRead(changed, before));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 3", "2, 1", "2, 3"})
  void plannedNights(int attempts, int exitCode) throws IOException {
    requireAllChanges(night -> plannedNight(night, attempts, exitCode));
  }

  @Test
  void nightsOfRollupNightly() throws IOException {
    requireAllChanges(this::nightly);
  }
}
