package io.tsdbsuite.stream.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which times of messages count, and what counts instead. */
class RecordTimesTest {
  private static final long EARLIEST = 1_262_304_000_000L;
  private static final long NOW = 1_763_510_400_000L;
  private static final long SLACK = 120_000;
  private static final long IDLE = 300_000;

  private final RecordTimes times = new RecordTimes(EARLIEST, SLACK, IDLE);

  /** None; seconds; before the first year; years ahead; an hour ahead; the largest. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        -1,
        0,
        1_763_510_400L,
        EARLIEST - 1,
        NOW + 2 * IDLE,
        2_082_758_400_000L,
        1_763_510_400_000_000L,
        Long.MAX_VALUE,
        Long.MIN_VALUE
      })
  void aWrongTimeCountsAsThatOfTheArrival(long wrong) {
    assertThat(times.of("points", 3, wrong, NOW)).isEqualTo(NOW);
    assertThat(times.wasWrong()).isTrue();
    // In a backlog: the messages around it tell more than the present.
    assertThat(times.of("points", 3, NOW - 7_200_000, NOW)).isEqualTo(NOW - 7_200_000);
    assertThat(times.wasWrong()).isFalse();
    assertThat(times.of("points", 3, wrong, NOW + 1)).isEqualTo(NOW - 7_200_000);
    assertThat(times.of("points", 3, NOW - 7_100_000, NOW + 1)).isEqualTo(NOW - 7_100_000);
    assertThat(times.of("points", 2, wrong, NOW + 1)).isEqualTo(NOW + 1);
    assertThat(times.of("other", 3, wrong, NOW + 1)).isEqualTo(NOW + 1);
    // The good ones have ended.
    assertThat(times.of("points", 3, wrong, NOW + 2 + IDLE)).isEqualTo(NOW + 2 + IDLE);
  }

  @Test
  void clocksThatDifferALittleAreGood() {
    assertThat(times.of("points", 0, NOW + SLACK, NOW)).isEqualTo(NOW);
    assertThat(times.wasWrong()).isFalse();
    assertThat(times.of("points", 0, EARLIEST, NOW)).isEqualTo(EARLIEST);
    assertThat(times.wasWrong()).isFalse();
    assertThat(times.of("points", 0, -1, NOW)).isEqualTo(NOW);
  }
}
