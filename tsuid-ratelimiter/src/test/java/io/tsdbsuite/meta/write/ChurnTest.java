package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChurnTest {
  @Test
  void isExactWhileThereAreCounters() {
    Churn churn = new Churn();
    for (int metric = 1; metric <= Churn.COUNTERS; metric++) {
      for (int n = 0; n < metric; n++) {
        churn.add(metric);
      }
    }
    assertThat(churn.top(3)).containsExactly(256, 255, 254);
    assertThat(churn.count(256)).isEqualTo(256);
    assertThat(churn.total()).isEqualTo(256 * 257 / 2);
    churn.clear();
    assertThat(churn.top(3)).isEmpty();
    assertThat(churn.total()).isZero();
  }

  @Test
  void findsTheHeavyOnesAmongMany() {
    Churn churn = new Churn();
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int n = 0; n < 50_000; n++) {
      churn.add(random.nextInt(10) == 0 ? 7 : 1000 + random.nextInt(20_000));
    }
    assertThat(churn.top(1)).as("seed %s", seed).containsExactly(7);
    assertThat(churn.count(7)).as("seed %s", seed).isBetween(4500L, 5500L);
  }

  @Test
  void addsUp() {
    Churn one = new Churn();
    one.add(1);
    one.add(2);
    Churn other = new Churn();
    other.add(2);
    one.addAll(other);
    assertThat(one.count(2)).isEqualTo(2);
    assertThat(one.total()).isEqualTo(3);
  }
}
