package io.tsdbsuite.rollup.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.rollup.rate.Lease;
import io.tsdbsuite.rollup.rate.Leases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  /** Time that only sleeping moves. */
  private static final class FakeClock implements Throttle.Clock {
    private final List<Long> sleeps = new ArrayList<>();

    @Override
    public long nanoTime() {
      return sleeps.stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void sleep(long nanos) {
      sleeps.add(nanos);
    }
  }

  private final FakeClock clock = new FakeClock();

  @Test
  void sendsWhatIsLeasedAndThenLeasesAgain() throws Exception {
    List<Long> tasks = new ArrayList<>();
    Throttle throttle =
        new Throttle(
            task -> {
              tasks.add(task);
              return new Lease(3, tasks.size() == 2 ? 0 : 10);
            },
            17,
            clock);
    for (int i = 0; i < 7; i++) {
      throttle.acquire();
    }
    assertThat(tasks).containsExactly(17L, 17L, 17L);
    assertThat(clock.sleeps).containsExactly(10L, 10L);
  }

  @Test
  void withoutALimitNothingWaits() throws Exception {
    Throttle throttle = new Throttle(Leases.UNLIMITED, 1, clock);
    for (int i = 0; i < 1000; i++) {
      throttle.acquire();
    }
    assertThat(clock.sleeps).isEmpty();
  }

  @Test
  void anInterruptedLeaseEndsTheTask() {
    Throttle throttle =
        new Throttle(
            task -> {
              throw new InterruptedException();
            },
            1,
            clock);
    assertThatThrownBy(throttle::acquire).isInstanceOf(InterruptedException.class);
  }
}
