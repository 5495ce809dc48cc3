package io.tsdbsuite.planner.due;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.planner.MemoryReports;
import io.tsdbsuite.planner.SampleReport;
import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DueDaysTest {
  private static final LocalDate FIRST = LocalDate.parse("2026-11-18");
  private static final Duration HOUR = Duration.ofHours(1);

  private final MemoryReports reports = new MemoryReports();
  private boolean allowExpired;

  private static NightSnapshots night(String date, String created) {
    Instant data = Instant.parse(created);
    return new NightSnapshots(
        new Night(LocalDate.parse(date), "tsdb-" + date, "tsdb-uid-" + date),
        new SnapshotTimes(data, data.plusSeconds(10), 1));
  }

  private DueDays days(String now, Optional<Duration> ttl, NightSnapshots... nights) {
    return new DueDays(
        reports, new DueRule(FIRST, HOUR, ttl, allowExpired), List.of(nights), Instant.parse(now));
  }

  private void done(String day, String created) {
    Instant data = Instant.parse(created);
    LocalDate date = LocalDate.parse(day);
    reports.put(date, SampleReport.done(date, data, data.plusSeconds(10)));
  }

  private static List<String> told(List<DueDay> due) {
    return due.stream()
        .map(
            one ->
                one.day()
                    + " "
                    + one.state()
                    + one.night().map(night -> " " + night.night().date()).orElse(""))
        .toList();
  }

  @Test
  void everyDaySinceTheFirstThatHasNoReport() throws IOException {
    done("2026-11-19", "2026-11-20T02:00:00Z");
    assertThat(
            told(
                days(
                        "2026-11-21T02:10:00Z",
                        Optional.empty(),
                        night("2026-11-20", "2026-11-20T02:00:00Z"),
                        night("2026-11-21", "2026-11-21T02:00:00Z"))
                    .find()))
        .containsExactly("2026-11-18 RUN 2026-11-21", "2026-11-20 RUN 2026-11-21");
  }

  /** After an upgrade no day is rolled up again; a report of a newer version cannot be read. */
  @Test
  void reportsOfOtherVersions() throws IOException {
    Instant data = Instant.parse("2026-11-20T02:00:00Z");
    for (int version = 1; version <= 4; version++) {
      LocalDate day = FIRST.minusDays(1).plusDays(version);
      reports.put(day, SampleReport.done(day, data, data.plusSeconds(10)).version(version));
    }
    DueDays days =
        days("2026-11-22T02:10:00Z", Optional.empty(), night("2026-11-22", "2026-11-22T02:00:00Z"));
    assertThat(told(days.find())).containsExactly("2026-11-21 RUN 2026-11-22");
  }

  @Test
  void aDayWaitsForASnapshotAfterTheHoldBack() throws IOException {
    NightSnapshots early = night("2026-11-19", "2026-11-19T00:59:59Z");
    assertThat(told(days("2026-11-19T00:59:59Z", Optional.empty(), early).find())).isEmpty();
    assertThat(days("2026-11-19T02:00:00Z", Optional.empty(), early).find())
        .singleElement()
        .satisfies(
            day -> {
              assertThat(day.state()).isEqualTo(DueDay.State.WAITS);
              assertThat(day.why())
                  .isEqualTo("no snapshot has been taken since 2026-11-19T01:00:00Z");
            });
    assertThat(
            told(
                days(
                        "2026-11-19T02:00:00Z",
                        Optional.empty(),
                        night("2026-11-19", "2026-11-19T01:00:00Z"))
                    .find()))
        .containsExactly("2026-11-18 RUN 2026-11-19");
  }

  @Test
  void anOlderSnapshotHoldsWhatHasExpired() throws IOException {
    Optional<Duration> ttl = Optional.of(Duration.ofDays(3));
    NightSnapshots old = night("2026-11-19", "2026-11-19T02:00:00Z");
    NightSnapshots recent = night("2026-11-21", "2026-11-21T02:00:00Z");
    assertThat(told(days("2026-11-21T03:00:00Z", ttl, old, recent).find()))
        .containsExactly(
            "2026-11-18 RUN 2026-11-19", "2026-11-19 EXPIRED", "2026-11-20 RUN 2026-11-21");
    assertThat(days("2026-11-21T03:00:00Z", ttl, recent).plan(FIRST).why())
        .contains("complete from 2026-11-19T02:00:00Z only");
  }

  /**
   * A day without any points would end each night with exit code 1, and take the place of others.
   */
  @Test
  void whatIsLeftOfADayMayBeRolledUp() throws IOException {
    allowExpired = true;
    Optional<Duration> ttl = Optional.of(Duration.ofDays(2));
    NightSnapshots older = night("2026-11-21", "2026-11-21T02:00:00Z");
    NightSnapshots newer = night("2026-11-22", "2026-11-22T02:00:00Z");
    assertThat(told(days("2026-11-22T03:00:00Z", ttl, newer, older).find()))
        .containsExactly(
            "2026-11-18 EXPIRED",
            "2026-11-19 RUN 2026-11-21",
            "2026-11-20 RUN 2026-11-21",
            "2026-11-21 RUN 2026-11-22");
    assertThat(days("2026-11-22T03:00:00Z", ttl, newer, older).plan(FIRST).why())
        .startsWith("all its points have expired: ")
        .endsWith(" only");
  }

  /** A clock was ahead for a while: what was done then is done again. */
  @Test
  void whatComesFromTheFutureDoesNotCount() throws IOException {
    done("2026-11-18", "2026-11-25T02:00:00Z");
    NightSnapshots future = night("2026-11-25", "2026-11-25T02:00:00Z");
    assertThat(
            told(
                days(
                        "2026-11-19T02:00:00Z",
                        Optional.empty(),
                        future,
                        night("2026-11-19", "2026-11-19T02:04:00Z"))
                    .find()))
        .containsExactly("2026-11-18 RUN 2026-11-19");
    assertThat(days("2026-11-25T02:10:00Z", Optional.empty(), future).isDone(FIRST)).isTrue();
  }

  /** Taken again under the same name: the night's own day is read from the new ones. */
  @Test
  void theNightsOwnDayMustBeOfItsSnapshots() throws IOException {
    done("2026-11-18", "2026-11-19T02:00:00Z");
    NightSnapshots again = night("2026-11-19", "2026-11-19T09:00:00Z");
    assertThat(told(days("2026-11-19T09:10:00Z", Optional.empty(), again).find()))
        .containsExactly("2026-11-18 RUN 2026-11-19");
  }

  @Test
  void aDayThatHasNotEndedWaits() {
    assertThat(
            days(
                    "2026-11-19T02:00:00Z",
                    Optional.empty(),
                    night("2026-11-19", "2026-11-19T02:00:00Z"))
                .plan(FIRST.plusDays(1))
                .why())
        .isEqualTo("it may be rolled up from 2026-11-20T01:00:00Z");
  }
}
