package io.tsdbsuite.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void endsAtTheLastHourThatIsOlderThanTheDelay() {
    Timeline window = Timeline.at(Instant.parse("2026-11-21T05:46:17Z"), DAY, 30);

    assertThat(Instant.ofEpochSecond(window.now())).isEqualTo("2026-11-21T05:46:10Z");
    assertThat(Instant.ofEpochSecond(window.liveFrom())).isEqualTo("2026-11-21T04:00:00Z");
    assertThat(Instant.ofEpochSecond(window.rollupTo())).isEqualTo("2026-11-20T05:00:00Z");
    assertThat(Instant.ofEpochSecond(window.compareTo())).isEqualTo("2026-11-20T00:00:00Z");
    assertThat(Instant.ofEpochSecond(window.from())).isEqualTo("2026-10-21T00:00:00Z");
    assertThat(window.days()).isEqualTo(30);
    assertThat(window.rollupHours()).isEqualTo(30 * 24 + 5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-21T00:00:00Z",
        "2026-11-21T00:00:09Z",
        "2026-11-21T23:59:59Z",
        "2026-03-01T01:00:00Z"
      })
  void neverRollsUpWhatTheJobWouldRefuse(String begin) {
    Instant now = Instant.parse(begin);
    Timeline window = Timeline.at(now, DAY, 1);

    assertThat(window.rollupTo()).isLessThanOrEqualTo(now.minus(DAY).getEpochSecond());
    assertThat(window.rollupTo() % 3600).isZero();
    assertThat(window.from() % 86400).isZero();
    assertThat(window.from()).isLessThan(window.compareTo());
    assertThat(window.compareTo()).isLessThanOrEqualTo(window.rollupTo());
  }

  @Test
  void neverWritesToHoursThatAreRolledUp() {
    Timeline window = Timeline.at(Instant.parse("2026-11-21T05:46:17Z"), Duration.ofHours(1), 1);

    assertThat(window.liveFrom()).isGreaterThanOrEqualTo(window.rollupTo());
  }
}
