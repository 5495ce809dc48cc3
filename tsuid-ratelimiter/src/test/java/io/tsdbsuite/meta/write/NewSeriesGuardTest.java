package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NewSeriesGuardTest {
  private static final int HOUR = 3600;
  private static final int NOW = 1000 * HOUR;

  @Test
  void anHourHasItsPlaces() {
    NewSeriesGuard guard = new NewSeriesGuard(2);
    assertThat(guard.reserve(NOW)).isEqualTo(1000);
    assertThat(guard.reserve(NOW + 1)).isEqualTo(1000);
    assertThat(guard.reserve(NOW + HOUR - 1)).isEqualTo(NewSeriesGuard.FULL);
    assertThat(guard.reserve(NOW + HOUR)).isEqualTo(1001);
  }

  @Test
  void aPlaceThatIsGivenBackIsFreeInItsHourOnly() {
    NewSeriesGuard guard = new NewSeriesGuard(1);
    int place = guard.reserve(NOW);
    assertThat(guard.reserve(NOW)).isEqualTo(NewSeriesGuard.FULL);
    guard.giveBack(place);
    assertThat(guard.reserve(NOW)).isEqualTo(place);
    assertThat(guard.reserve(NOW + HOUR)).isEqualTo(place + 1);
    guard.giveBack(place);
    assertThat(guard.reserve(NOW + HOUR)).isEqualTo(NewSeriesGuard.FULL);
  }

  @Test
  void aClockThatWasReadBeforeTheHourRolledDoesNotOpenTheOldHourAgain() {
    NewSeriesGuard guard = new NewSeriesGuard(1);
    assertThat(guard.reserve(NOW)).isEqualTo(1000);
    assertThat(guard.reserve(NOW - 1)).isEqualTo(NewSeriesGuard.FULL);
  }

  @Test
  void isOffAtZero() {
    assertThat(new NewSeriesGuard(0).isOn()).isFalse();
    assertThat(new NewSeriesGuard(1).isOn()).isTrue();
  }

  @Test
  void whoFindsNoPlaceTriesAfterTheHour() {
    for (int n = 0; n < 1000; n++) {
      assertThat(NewSeriesGuard.retryAt(Series.of(n), NOW + 1))
          .isBetween(NOW + HOUR, NOW + HOUR + 299);
    }
  }
}
