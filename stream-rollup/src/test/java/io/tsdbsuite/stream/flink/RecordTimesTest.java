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
    assertThat(times.of("points", 3, wrong, NOW)).isEqualTo(RecordTimes.NONE);
    assertThat(times.wasWrong()).isTrue();
    assertThat(times.of("points", 3, wrong, NOW + IDLE)).isEqualTo(RecordTimes.NONE);
    assertThat(times.of("points", 3, wrong, NOW + IDLE + 1)).isEqualTo(NOW + IDLE + 1);
    // In a backlog: the messages around it tell more than the present.
    assertThat(times.of("points", 3, NOW - 7_200_000, NOW)).isEqualTo(NOW - 7_200_000);
    assertThat(times.wasWrong()).isFalse();
    assertThat(times.of("points", 3, wrong, NOW + 1)).isEqualTo(NOW - 7_200_000 + 1);
    assertThat(times.of("points", 3, NOW - 7_100_000, NOW + 1)).isEqualTo(NOW - 7_100_000);
    assertThat(times.of("points", 2, wrong, NOW + 1)).isEqualTo(RecordTimes.NONE);
    assertThat(times.of("other", 3, wrong, NOW + 1)).isEqualTo(RecordTimes.NONE);
    // The good ones have ended.
    for (long later = NOW; later <= NOW + IDLE; later += 1000) {
      assertThat(times.of("points", 3, wrong, later)).isLessThan(NOW - 6_000_000);
    }
    assertThat(times.of("points", 3, wrong, NOW + 2 * IDLE)).isEqualTo(NOW + 2 * IDLE);
  }

  /** Flink reads nothing of a partition that is ahead of the others. */
  @Test
  void aPauseDoesNotMakeABacklogThePresent() {
    long backlog = NOW - 86_400_000;
    assertThat(times.of("points", 0, backlog, NOW)).isEqualTo(backlog);
    long later = NOW + 2 * IDLE;
    assertThat(times.of("points", 0, -1, later)).isEqualTo(backlog + 2 * IDLE);
    // In the middle of a few wrong ones, too.
    assertThat(times.of("points", 0, -1, later + 2 * IDLE)).isEqualTo(backlog + 4 * IDLE);
    assertThat(times.of("points", 0, backlog + 1, later + 2 * IDLE)).isEqualTo(backlog + 1);
  }

  /** After a restart in the middle of a backlog. */
  @Test
  void aWrongTimeBeforeTheFirstGoodOneTellsNothing() {
    long backlog = NOW - 86_400_000;
    assertThat(times.of("points", 0, -1, NOW)).isLessThan(backlog);
    assertThat(times.of("points", 0, -1, NOW + IDLE)).isLessThan(backlog);
    assertThat(times.of("points", 0, backlog, NOW + IDLE)).isEqualTo(backlog);
    assertThat(times.of("points", 0, -1, NOW + 2 * IDLE)).isEqualTo(backlog + IDLE);
  }

  @Test
  void clocksThatDifferALittleAreGood() {
    assertThat(times.of("points", 0, NOW + SLACK, NOW)).isEqualTo(NOW);
    assertThat(times.wasWrong()).isFalse();
    assertThat(times.of("points", 0, EARLIEST, NOW)).isEqualTo(EARLIEST);
    assertThat(times.wasWrong()).isFalse();
    assertThat(times.of("points", 0, -1, NOW)).isEqualTo(NOW);
    // The present goes on.
    assertThat(times.of("points", 0, NOW, NOW)).isEqualTo(NOW);
    assertThat(times.of("points", 0, -1, NOW + 2 * IDLE)).isEqualTo(NOW + 2 * IDLE);
  }
}
