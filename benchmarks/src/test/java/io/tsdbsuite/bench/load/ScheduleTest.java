package io.tsdbsuite.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00.750Z");

  @Test
  void wholeSecondsHaveTimestampsInSeconds() {
    Schedule schedule = Schedule.of(NOW, Duration.ofSeconds(2));

    assertThat(schedule.timestamp(0)).isEqualTo(NOW.getEpochSecond());
    assertThat(schedule.timestamp(3)).isEqualTo(NOW.getEpochSecond() + 6);
    assertThat(schedule.due(3)).isEqualTo(6_000_000_000L);
  }

  @Test
  void otherSleepsHaveTimestampsInMilliseconds() {
    Schedule schedule = Schedule.of(NOW, Duration.ofMillis(1500));

    assertThat(schedule.timestamp(0)).isEqualTo(NOW.toEpochMilli());
    assertThat(schedule.timestamp(2)).isEqualTo(NOW.toEpochMilli() + 3000);
  }

  @Test
  void withoutSleepNoRoundWritesTheCellsOfAnother() {
    Schedule schedule = Schedule.of(NOW, Duration.ZERO);

    assertThat(schedule.due(1_000_000)).isZero();
    assertThat(schedule.timestamp(1) - schedule.timestamp(0)).isEqualTo(1);
  }
}
