package io.tsdbsuite.nightly.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.planner.night.Night;
import io.tsdbsuite.planner.night.NightSnapshots;
import io.tsdbsuite.planner.night.SnapshotTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class MissingSnapshotTest {
  private static final LocalDate DATE = LocalDate.parse("2026-11-21");
  private static final Instant READABLE = Instant.parse("2026-11-21T01:00:00Z");
  private static final Instant NOW = Instant.parse("2026-11-21T01:30:00Z");

  private static NightSnapshots night(LocalDate date, String taken) {
    Instant time = Instant.parse(taken);
    return new NightSnapshots(
        new Night(date, "tsdb-" + date, "tsdb-uid-" + date), new SnapshotTimes(time, time, 1));
  }

  @Test
  void theHoldBackWithoutItsWholeDays() {
    assertThat(MissingSnapshot.takenFrom(DATE, Duration.ofHours(1))).isEqualTo(READABLE);
    assertThat(MissingSnapshot.takenFrom(DATE, Duration.ofHours(25))).isEqualTo(READABLE);
    assertThat(MissingSnapshot.takenFrom(DATE, Duration.ZERO)).isEqualTo("2026-11-21T00:00:00Z");
  }

  @Test
  void takenTooEarlyOrInTheFuture() {
    NightSnapshots before = night(DATE.minusDays(1), "2026-11-20T01:30:00Z");
    assertThat(MissingSnapshot.why(READABLE, DATE, List.of(before), NOW)).isEmpty();
    assertThat(
            MissingSnapshot.why(
                READABLE, DATE, List.of(before, night(DATE, "2026-11-21T00:10:00Z")), NOW))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .startsWith("tsdb-2026-11-21 was taken too early, 2026-11-21T00:10:00Z"));
    assertThat(
            MissingSnapshot.why(READABLE, DATE, List.of(night(DATE, "2026-11-21T02:10:00Z")), NOW))
        .hasValueSatisfying(why -> assertThat(why).contains("in the future", "clocks"));
  }
}
