package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InFlightLimitTest {
  @Test
  void holdsBackWhatDoesNotFit() throws InterruptedException {
    InFlightLimit limit = new InFlightLimit(100);
    assertThat(limit.acquire(60, 0)).isTrue();
    assertThat(limit.acquire(41, 0)).isFalse();
    assertThat(limit.acquire(40, 0)).isTrue();
    limit.release(60, true);
    assertThat(limit.used()).isEqualTo(40);
    limit.cancel(40);
    assertThat(limit.used()).isZero();
  }

  @Test
  void aMessageLargerThanTheWindowPassesAlone() throws InterruptedException {
    InFlightLimit limit = new InFlightLimit(100);
    assertThat(limit.acquire(1, 0)).isTrue();
    assertThat(limit.acquire(5000, 0)).isFalse();
    limit.release(1, true);
    assertThat(limit.acquire(5000, 0)).isTrue();
    assertThat(limit.acquire(1, 0)).isFalse();
    limit.release(5000, true);
    assertThat(limit.used()).isZero();
  }

  @Test
  void aFailureShrinksItAndAnswersOpenItAgain() throws InterruptedException {
    InFlightLimit limit = new InFlightLimit(1000);
    assertThat(limit.acquire(500, 0)).isTrue();
    limit.release(500, false);
    assertThat(limit.limit()).isEqualTo(InFlightLimit.MIN);
    int rounds = 0;
    while (limit.limit() < 1000) {
      int allowed = limit.limit();
      for (int i = 0; i < allowed; i++) {
        assertThat(limit.acquire(1, 0)).isTrue();
      }
      assertThat(limit.acquire(1, 0)).isFalse();
      for (int i = 0; i < allowed; i++) {
        limit.release(1, true);
      }
      rounds++;
    }
    assertThat(rounds).isEqualTo(4);
  }
}
