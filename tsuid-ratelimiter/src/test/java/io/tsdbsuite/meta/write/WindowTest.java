package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WindowTest {
  private static int acquireAll(Window window) {
    int places = 0;
    while (window.tryAcquire()) {
      places++;
    }
    return places;
  }

  @Test
  void hasItsPlaces() {
    Window window = new Window(3);
    assertThat(acquireAll(window)).isEqualTo(3);
    window.release();
    assertThat(acquireAll(window)).isEqualTo(1);
    window.acquireAnyway();
    assertThat(window.used()).isEqualTo(4);
  }

  @Test
  void aFailureShrinksItToOneAndEverySuccessLetsItGrowByOne() {
    Window window = new Window(5);
    acquireAll(window);
    window.failed();
    assertThat(window.limit()).isEqualTo(1);
    assertThat(window.tryAcquire()).as("four are still on their way").isFalse();
    for (int n = 0; n < 4; n++) {
      window.failed();
    }
    for (int limit = 1; limit <= 5; limit++) {
      assertThat(window.limit()).isEqualTo(limit);
      assertThat(window.tryAcquire()).isTrue();
      window.succeeded();
    }
    assertThat(window.limit()).isEqualTo(5);
    assertThat(window.used()).isZero();
  }
}
