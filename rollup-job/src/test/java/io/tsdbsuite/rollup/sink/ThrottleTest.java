package io.tsdbsuite.rollup.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  /** Time that only sleeping and the test itself move. */
  private static final class FakeClock implements Throttle.Clock {
    private long now = -5;
    private int sleeps;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void sleep(long nanos) {
      sleeps++;
      now += nanos;
    }
  }

  private final FakeClock clock = new FakeClock();

  @Test
  void holdsTheRate() throws InterruptedException {
    for (double rate : new double[] {0.5, 3, 100, 12_345, 2_000_000}) {
      Throttle throttle = new Throttle(rate, clock);
      long start = clock.now;
      int messages = (int) (rate * 10) + 1;
      for (int i = 0; i < messages; i++) {
        throttle.acquire();
      }
      double seconds = (clock.now - start) / SECOND;
      assertThat(seconds).as("rate %s", rate).isCloseTo((messages - 1) / rate, within(0.002));
    }
  }

  @Test
  void sleepsNoMoreThanOncePerMillisecond() throws InterruptedException {
    Throttle throttle = new Throttle(1_000_000, clock);
    for (int i = 0; i < 1_000_000; i++) {
      throttle.acquire();
    }
    assertThat(clock.sleeps).isBetween(900, 1001);
  }

  @Test
  void givesNoCreditForIdleTime() throws InterruptedException {
    Throttle throttle = new Throttle(10, clock);
    throttle.acquire();
    clock.now += TimeUnit.HOURS.toNanos(1);
    long start = clock.now;
    for (int i = 0; i < 11; i++) {
      throttle.acquire();
    }
    assertThat((clock.now - start) / SECOND).isCloseTo(1, within(0.002));
  }

  @Test
  void zeroMeansUnlimited() throws InterruptedException {
    Throttle throttle = new Throttle(0, clock);
    for (int i = 0; i < 1000; i++) {
      throttle.acquire();
    }
    assertThat(clock.sleeps).isZero();
  }
}
