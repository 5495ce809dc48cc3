package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InFlightLimitTest {
  @Test
  void holdsBackWhatDoesNotFit() throws InterruptedException {
    InFlightLimit limit = new InFlightLimit(100);
    assertThat(limit.acquire(60, 0, 0)).isTrue();
    assertThat(limit.acquire(41, 0, 0)).isFalse();
    assertThat(limit.acquire(40, 0, 0)).isTrue();
    limit.release(60, 0, true);
    assertThat(limit.used()).isEqualTo(40);
    limit.cancel(40, 0);
    assertThat(limit.used()).isZero();
  }

  @Test
  void aMessageLargerThanTheWindowPassesAlone() throws InterruptedException {
    InFlightLimit limit = new InFlightLimit(100);
    assertThat(limit.acquire(1, 0, 0)).isTrue();
    assertThat(limit.acquire(5000, 0, 0)).isFalse();
    limit.release(1, 0, true);
    assertThat(limit.acquire(5000, 0, 0)).isTrue();
    assertThat(limit.acquire(1, 0, 0)).isFalse();
    limit.release(5000, 0, true);
    assertThat(limit.used()).isZero();
  }

  @Test
  void aFailureShrinksItAndAnswersOpenItAgain() throws InterruptedException {
    InFlightLimit limit = new InFlightLimit(1000);
    assertThat(limit.acquire(500, 0, 0)).isTrue();
    limit.release(500, 0, false);
    assertThat(limit.limit()).isEqualTo(InFlightLimit.MIN);
    int rounds = 0;
    while (limit.limit() < 1000) {
      int allowed = limit.limit();
      for (int i = 0; i < allowed; i++) {
        assertThat(limit.acquire(1, 0, 0)).isTrue();
      }
      assertThat(limit.acquire(1, 0, 0)).isFalse();
      for (int i = 0; i < allowed; i++) {
        limit.release(1, 0, true);
      }
      rounds++;
    }
    assertThat(rounds).isEqualTo(4);
  }

  /** Messages of one point, each of which is as large as Kafka takes. */
  @Test
  void holdsBackMessagesBeyondTheBytes() throws InterruptedException {
    InFlightLimit limit = new InFlightLimit(100_000);
    long large = 50L << 20;
    assertThat(limit.acquire(1, large, 0)).isTrue();
    assertThat(limit.acquire(1, large, 0)).isFalse();
    limit.expire(1, large);
    assertThat(limit.mayExpire()).isTrue();
    assertThat(limit.acquire(1, 2 * large, 0)).describedAs("alone").isTrue();
    limit.expire(1, 2 * large);
    assertThat(limit.mayExpire()).isFalse();
    limit.lateAnswer(1, large);
    limit.lateAnswer(1, 2 * large);
    assertThat(limit.mayExpire()).isTrue();
  }

  @Test
  void moreMessagesOfUsualSizeMayBeInFlightIfMorePointsMay() throws InterruptedException {
    InFlightLimit limit = new InFlightLimit(1_000_000);
    for (int i = 0; i < 1_000_000; i++) {
      assertThat(limit.acquire(1, 1_000, 0)).isTrue();
    }
    assertThat(limit.acquire(1, 1_000, 0)).isFalse();
  }
}
