package io.tsdbsuite.planner.due;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.planner.MemoryReports;
import io.tsdbsuite.planner.SampleReport;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import io.tsdbsuite.planner.run.CommandOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NightDaysTest {
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");
  private static final Instant TAKEN = Instant.parse("2026-11-21T02:00:00Z");

  private final MemoryReports reports = new MemoryReports();

  private static NightSnapshots night(Instant taken, int daysBefore) {
    return new NightSnapshots(
        new Night(LocalDate.parse("2026-11-21"), "tsdb-20261121", "tsdb-uid-20261121"),
        new SnapshotTimes(taken, taken.plusSeconds(10), daysBefore));
  }

  private NightDays days(int catchUpDays, Optional<Duration> ttl, String... options)
      throws IOException {
    return days(night(TAKEN, 1), catchUpDays, ttl, options);
  }

  private NightDays days(
      NightSnapshots night, int catchUpDays, Optional<Duration> ttl, String... options)
      throws IOException {
    return NightDays.of(
        reports,
        own -> true,
        NightRule.of(catchUpDays, new CommandOptions(List.of(options))),
        night,
        ttl,
        night.times().data().plusSeconds(3600));
  }

  private void done(LocalDate day, Instant taken) {
    reports.put(day, SampleReport.done(day, taken, taken.plusSeconds(10)));
  }

  private static LocalDate before(int days) {
    return DAY.minusDays(days);
  }

  @Test
  void daysThatAreNotDoneAndTheOwnDay() throws IOException {
    assertThat(days(0, Optional.empty()).start()).containsExactly(DAY);
    done(before(2), TAKEN.minusSeconds(2 * 86400));
    done(DAY, TAKEN);
    assertThat(days(3, Optional.empty()).start()).containsExactly(before(3), before(1), DAY);
  }

  /** Its job ends with exit code 2 and says why: on AWS nothing else would tell it. */
  @Test
  void theOwnDayRunsAlsoIfItsSnapshotIsTooEarly() throws IOException {
    NightSnapshots early = night(Instant.parse("2026-11-21T00:30:00Z"), 1);
    assertThat(days(early, 1, Optional.empty()).start()).containsExactly(before(1), DAY);
  }

  /** With points that come up to 30 hours late, the day before waits for the next night. */
  @Test
  void anEarlierDayWaitsForTheHoldBack() throws IOException {
    assertThat(days(2, Optional.empty(), "--hold-back", "30h").start())
        .containsExactly(before(2), DAY);
    NightSnapshots later = night(Instant.parse("2026-11-22T07:00:00Z"), 2);
    assertThat(days(later, 2, Optional.empty(), "--hold-back=30h").start())
        .containsExactly(before(2), before(1), DAY);
  }

  /** A night that reads two days later does not catch up a day that it would not read itself. */
  @Test
  void noDayAfterTheOwnDay() throws IOException {
    NightSnapshots later = night(Instant.parse("2026-11-23T02:00:00Z"), 3);
    assertThat(days(later, 1, Optional.empty()).start()).containsExactly(before(1), DAY);
  }

  /** An export of last year is sent again: the reports of the days since are not its matter. */
  @Test
  void anOldNight() throws IOException {
    NightDays found =
        NightDays.of(
            reports,
            own -> true,
            NightRule.of(1, new CommandOptions(List.of())),
            night(TAKEN, 1),
            Optional.empty(),
            TAKEN.plus(Duration.ofDays(365)));
    assertThat(found.start()).containsExactly(before(1), DAY);
    assertThat(reports.reads()).isLessThan(100);
  }

  @Test
  void whatHasExpiredIsGivenUp() throws IOException {
    Optional<Duration> ttl = Optional.of(Duration.ofDays(3));
    // Complete from 2026-11-19T02:00Z on. Before the pipeline there was none.
    assertThat(days(3, ttl)).isEqualTo(new NightDays(List.of(DAY), List.of()));
    done(before(5), TAKEN.minusSeconds(5 * 86400));
    done(before(4), TAKEN.minusSeconds(4 * 86400));
    assertThat(days(3, ttl))
        .isEqualTo(new NightDays(List.of(DAY), List.of(before(3), before(2), before(1))));
    assertThat(days(3, ttl, "--allow-expired").start())
        .as("of the first day nothing is left")
        .containsExactly(before(2), before(1), DAY);
    assertThat(days(3, Optional.empty()).givenUp()).isEmpty();
    assertThat(days(1, Optional.empty()).givenUp()).containsExactly(before(3), before(2));
  }

  /** Its clock was ahead. */
  @Test
  void aReportOfTheFutureSaysNothing() throws IOException {
    done(before(1), TAKEN.plusSeconds(3 * 86400));
    assertThat(days(1, Optional.empty()).start()).containsExactly(before(1), DAY);
  }

  @Test
  void theTtlOfATableIsTheLeastOfItsFamilies() {
    assertThat(DueRule.ttl(IntStream.empty())).isEmpty();
    assertThat(DueRule.ttl(IntStream.of(DueRule.FOREVER))).isEmpty();
    assertThat(DueRule.ttl(IntStream.of(DueRule.FOREVER, 90, 60))).contains(Duration.ofSeconds(60));
  }
}
