package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LongSetTest {
  @Test
  void isASet() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    LongSet set = new LongSet();
    Set<Long> expected = new HashSet<>();
    for (int i = 0; i < 500_000; i++) {
      // Few numbers, with equal homes among them, so that runs are long and cut in their middle.
      long number = random.nextInt(3000) * (random.nextBoolean() ? 1L : 1024L);
      if (random.nextInt(100) < (i % 2000 < 1000 ? 70 : 30)) {
        assertThat(set.add(number)).as("seed %s, step %s", seed, i).isEqualTo(expected.add(number));
      } else {
        set.remove(number);
        expected.remove(number);
      }
      assertThat(set.size()).isEqualTo(expected.size());
    }
    for (long number : expected) {
      assertThat(set.add(number)).isFalse();
    }
  }
}
