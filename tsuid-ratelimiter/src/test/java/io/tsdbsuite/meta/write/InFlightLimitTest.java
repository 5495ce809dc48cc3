package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InFlightLimitTest {
  private static int acquireAll(InFlightLimit inFlightLimit) {
    int places = 0;
    while (inFlightLimit.tryAcquire()) {
      places++;
    }
    return places;
  }

  @Test
  void hasItsPlaces() {
    InFlightLimit inFlightLimit = new InFlightLimit(3);
    assertThat(acquireAll(inFlightLimit)).isEqualTo(3);
    inFlightLimit.release();
    assertThat(acquireAll(inFlightLimit)).isEqualTo(1);
    inFlightLimit.acquireAnyway();
    assertThat(inFlightLimit.used()).isEqualTo(4);
  }

  @Test
  void aFailureShrinksItToOneAndEverySuccessLetsItGrowByOne() {
    InFlightLimit inFlightLimit = new InFlightLimit(5);
    acquireAll(inFlightLimit);
    inFlightLimit.failed();
    assertThat(inFlightLimit.limit()).isEqualTo(1);
    assertThat(inFlightLimit.tryAcquire()).as("four are still on their way").isFalse();
    for (int n = 0; n < 4; n++) {
      inFlightLimit.failed();
    }
    for (int limit = 1; limit <= 5; limit++) {
      assertThat(inFlightLimit.limit()).isEqualTo(limit);
      assertThat(inFlightLimit.tryAcquire()).isTrue();
      inFlightLimit.succeeded();
    }
    assertThat(inFlightLimit.limit()).isEqualTo(5);
    assertThat(inFlightLimit.used()).isZero();
  }
}
