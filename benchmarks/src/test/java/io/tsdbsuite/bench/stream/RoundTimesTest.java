package io.tsdbsuite.bench.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoundTimesTest {
  private static final Instant NOW = Instant.parse("2026-11-23T03:10:00Z");

  @Test
  void roundsFollowEachOtherAndLieInThePast() {
    RoundTimes times = RoundTimes.before(NOW, 10);
    for (int round = 0; round < 100; round++) {
      assertThat(times.start(round + 1)).isGreaterThanOrEqualTo(times.start(round) + 10);
    }
    assertThat(times.start(100)).isLessThan(NOW.getEpochSecond());
  }

  @Test
  void theBucketOfTheSecondRoundIsCompleteAndEndsBeforeTheThird() {
    RoundTimes times = RoundTimes.before(NOW, 10);
    long bucket = times.start(1) - times.start(1) % 600;
    // A job that reads from the first message on has all messages a slack later.
    assertThat(times.start(0) + RoundTimes.SLACK).isLessThan(bucket);
    assertThat(times.start(2)).isGreaterThanOrEqualTo(bucket + 600);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10, 60, 300})
  void theSlackIsFullWhenTheSteadyRoundsBegin(int period) {
    RoundTimes times = RoundTimes.before(NOW, period);
    assertThat(times.start(times.steadyFrom()) - times.start(2)).isGreaterThan(RoundTimes.SLACK);
  }
}
