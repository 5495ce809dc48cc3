package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NewSeriesTopKTest {
  @Test
  void isExactWhileThereAreCounters() {
    NewSeriesTopK topK = new NewSeriesTopK();
    for (int metric = 1; metric <= NewSeriesTopK.COUNTERS; metric++) {
      for (int n = 0; n < metric; n++) {
        topK.add(metric);
      }
    }
    assertThat(topK.top(3)).containsExactly(256, 255, 254);
    assertThat(topK.count(256)).isEqualTo(256);
    assertThat(topK.total()).isEqualTo(256 * 257 / 2);
    topK.clear();
    assertThat(topK.top(3)).isEmpty();
    assertThat(topK.total()).isZero();
  }

  @Test
  void findsTheHeavyOnesAmongMany() {
    NewSeriesTopK topK = new NewSeriesTopK();
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int n = 0; n < 50_000; n++) {
      topK.add(random.nextInt(10) == 0 ? 7 : 1000 + random.nextInt(20_000));
    }
    assertThat(topK.top(1)).as("seed %s", seed).containsExactly(7);
    assertThat(topK.count(7)).as("seed %s", seed).isBetween(4500L, 5500L);
  }

  @Test
  void addsUp() {
    NewSeriesTopK one = new NewSeriesTopK();
    one.add(1);
    one.add(2);
    NewSeriesTopK other = new NewSeriesTopK();
    other.add(2);
    one.addAll(other);
    assertThat(one.count(2)).isEqualTo(2);
    assertThat(one.total()).isEqualTo(3);
  }
}
