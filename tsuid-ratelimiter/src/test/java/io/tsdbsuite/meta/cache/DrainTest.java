package io.tsdbsuite.meta.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** After a drain nothing is handed over any more. */
class DrainTest {
  private final AtomicLong removed = new AtomicLong();
  private final AtomicLong drained = new AtomicLong();

  @Test
  void waitsForAThreadThatIsHandingOver() throws Exception {
    CountDownLatch handingOver = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    SeriesCache cache =
        new SeriesCache(
            new CacheSettings(50, true, Tsuids.METRIC_WIDTH),
            (tsuid, points) -> {
              handingOver.countDown();
              awaitQuietly(goOn);
              removed.addAndGet(points);
            });
    Thread writer =
        new Thread(
            () -> {
              for (int i = 0; handingOver.getCount() > 0; i++) {
                cache.touch(Tsuids.of(1, i), 0);
              }
            });
    writer.start();
    handingOver.await();
    Thread drainer = new Thread(() -> cache.drain((tsuid, points) -> drained.addAndGet(points)));
    drainer.start();
    while (drainer.getState() != Thread.State.WAITING) {
      assertThat(drainer.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    goOn.countDown();
    drainer.join();
    final long atDrain = removed.get() + drained.get();
    writer.join();
    assertThat(atDrain).isEqualTo(cache.touches());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void handsOverEachSeriesOnce() {
    SeriesCache cache =
        new SeriesCache(
            new CacheSettings(1_000, true, Tsuids.METRIC_WIDTH),
            (tsuid, points) -> removed.addAndGet(points));
    byte[] one = Tsuids.of(1, 1);
    byte[] two = Tsuids.of(2, 1);
    cache.touch(one, 0);
    cache.touch(one, 0);
    cache.touch(two, 0);
    final Claim claim = cache.claim(two, 0);
    cache.touch(two, 0);
    cache.drain((tsuid, points) -> drained.addAndGet(points));
    assertThat(drained.get()).isEqualTo(3);
    assertThat(claim.points()).isEqualTo(1);
    cache.settle(claim, 10, true, true);
    assertThat(cache.giveBack(claim, 10)).isFalse();
    assertThat(cache.claim(one, 0)).isNull();
    assertThat(cache.touch(one, 0)).isEqualTo(TouchResult.CLOSED);
    assertThat(cache.touches()).isEqualTo(4);
    cache.drain((tsuid, points) -> drained.addAndGet(points));
    assertThat(drained.get()).isEqualTo(3);
    assertThat(removed.get()).isZero();
  }
}
