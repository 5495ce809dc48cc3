package io.tsdbsuite.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {
  private static final Duration STREAMED = Duration.ofDays(3);

  @Test
  void theStreamBeginsAtMidnightBeforeTheLateHour() {
    Timeline window = Timeline.at(Instant.parse("2026-11-21T05:46:17Z"), STREAMED, 30);

    assertThat(Instant.ofEpochSecond(window.late())).isEqualTo("2026-11-18T04:00:00Z");
    assertThat(Instant.ofEpochSecond(window.streamFrom())).isEqualTo("2026-11-18T00:00:00Z");
    assertThat(Instant.ofEpochSecond(window.from())).isEqualTo("2026-10-19T00:00:00Z");
    assertThat(Instant.ofEpochSecond(window.completeTo())).isEqualTo("2026-11-21T04:00:00Z");
    assertThat(window.days()).isEqualTo(30);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-21T00:00:00Z",
        "2026-11-21T00:00:09Z",
        "2026-11-21T01:59:59Z",
        "2026-11-21T23:59:59Z",
        "2026-03-01T01:00:00Z"
      })
  void neverAsksTheJobsForWhatTheyWouldRefuse(String begin) {
    Instant now = Instant.parse(begin);
    Timeline window = Timeline.at(now, STREAMED, 1);

    // The --hold-back of the job and of verify is an hour.
    assertThat(window.streamFrom()).isLessThanOrEqualTo(now.minus(STREAMED).getEpochSecond());
    assertThat(window.completeTo()).isLessThanOrEqualTo(now.minusSeconds(3600).getEpochSecond());
    assertThat(window.streamFrom() % 86400).isZero();
    assertThat(window.from()).isEqualTo(window.streamFrom() - 86400);
    assertThat(window.completeTo() - window.streamFrom()).isGreaterThanOrEqualTo(2 * 86400);
    // The late hour is of the stream, and old enough to have its rollups.
    assertThat(window.late()).isGreaterThanOrEqualTo(window.streamFrom());
    assertThat(window.late() + 3600).isLessThanOrEqualTo(now.minus(STREAMED).getEpochSecond());
  }
}
