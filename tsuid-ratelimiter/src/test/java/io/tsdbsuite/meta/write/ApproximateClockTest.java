package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.Await;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ApproximateClockTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AtomicInteger second = new AtomicInteger(7);
  private final AtomicInteger reads = new AtomicInteger();
  private final ApproximateClock clock =
      new ApproximateClock(
          () -> {
            reads.incrementAndGet();
            return second.get();
          });

  @Test
  void followsTheOtherClockAndIsExactWithoutItsThread() {
    assertThat(clock.now()).isEqualTo(7);
    second.set(8);
    assertThat(clock.now()).isEqualTo(8);
    clock.start();
    second.set(9);
    Await.until("the clock to follow", PATIENCE, () -> clock.now() == 9);
    second.set(10);
    Await.until("the clock to follow", PATIENCE, () -> clock.now() == 10);
    clock.stop();
    second.set(11);
    assertThat(clock.now()).isEqualTo(11);
  }

  @Test
  void aReaderDoesNotReadTheOtherClock() {
    clock.start();
    Await.until("the thread to read", PATIENCE, () -> reads.get() > 0);
    // The thread reads ten times a second, whatever the number of readers.
    int before = reads.get();
    for (int i = 0; i < 1_000_000; i++) {
      clock.now();
    }
    assertThat(reads.get() - before).isLessThan(100_000);
    clock.stop();
  }
}
