package io.tsdbsuite.bulk.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RowRateTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong nanos = new AtomicLong(-5 * SECOND);
  private final RowRate rate = new RowRate(1000, nanos::get, nanos::addAndGet);

  private double seconds(int rows) {
    long begin = nanos.get();
    for (int i = 0; i < rows; i++) {
      rate.acquire();
    }
    return (double) (nanos.get() - begin) / SECOND;
  }

  @Test
  void keepsTheRate() {
    assertThat(seconds(10_100)).isBetween(9.99, 10.01);
    assertThat(seconds(10_000)).isBetween(9.99, 10.01);
  }

  @Test
  void savesNoMoreThanATenthOfASecond() {
    seconds(10_000);
    nanos.addAndGet(100 * SECOND);
    assertThat(seconds(100)).isLessThan(0.001);
    assertThat(seconds(1000)).isBetween(0.99, 1.01);
  }

  @Test
  void waitsAgainWhenItWakesEarly() {
    RowRate impatient = new RowRate(10, nanos::get, wait -> nanos.addAndGet(Math.max(1, wait / 3)));
    long begin = nanos.get();
    for (int i = 0; i < 21; i++) {
      impatient.acquire();
    }
    assertThat(nanos.get() - begin).isGreaterThanOrEqualTo(2 * SECOND);
  }

  @Test
  void needsARate() {
    assertThatThrownBy(() -> new RowRate(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
