package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InFlightWindowTest {
  @Test
  void holdsBackWhatDoesNotFit() throws InterruptedException {
    InFlightWindow window = new InFlightWindow(100);
    assertThat(window.acquire(60, 0)).isTrue();
    assertThat(window.acquire(41, 0)).isFalse();
    assertThat(window.acquire(40, 0)).isTrue();
    window.release(60, true);
    assertThat(window.used()).isEqualTo(40);
    window.cancel(40);
    assertThat(window.used()).isZero();
  }

  @Test
  void aMessageLargerThanTheWindowPassesAlone() throws InterruptedException {
    InFlightWindow window = new InFlightWindow(100);
    assertThat(window.acquire(1, 0)).isTrue();
    assertThat(window.acquire(5000, 0)).isFalse();
    window.release(1, true);
    assertThat(window.acquire(5000, 0)).isTrue();
    assertThat(window.acquire(1, 0)).isFalse();
    window.release(5000, true);
    assertThat(window.used()).isZero();
  }

  @Test
  void aFailureShrinksItAndAnswersOpenItAgain() throws InterruptedException {
    InFlightWindow window = new InFlightWindow(1000);
    assertThat(window.acquire(500, 0)).isTrue();
    window.release(500, false);
    assertThat(window.limit()).isEqualTo(InFlightWindow.SMALLEST);
    int rounds = 0;
    while (window.limit() < 1000) {
      int limit = window.limit();
      for (int i = 0; i < limit; i++) {
        assertThat(window.acquire(1, 0)).isTrue();
      }
      assertThat(window.acquire(1, 0)).isFalse();
      for (int i = 0; i < limit; i++) {
        window.release(1, true);
      }
      rounds++;
    }
    assertThat(rounds).isEqualTo(4);
  }
}
