package io.tsdbsuite.ingest.consume;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongBitsMapTest {
  @Test
  void isAMap() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    LongBitsMap map = new LongBitsMap();
    Map<Long, Long> expected = new HashMap<>();
    for (int i = 0; i < 500_000; i++) {
      // Few numbers, with equal homes among them, so that runs are long and cut in their middle.
      long number = random.nextInt(3000) * (random.nextBoolean() ? 1L : 1024L);
      long bits = 0b10011L << random.nextInt(64);
      long old = expected.getOrDefault(number, 0L);
      if (random.nextInt(100) < (i % 2000 < 1000 ? 70 : 30)) {
        boolean free = (old & bits) == 0;
        assertThat(map.add(number, bits)).as("seed %s, step %s", seed, i).isEqualTo(free);
        expected.put(number, free ? old | bits : old);
      } else {
        // Often all of them, else the map would only fill.
        long those = random.nextInt(4) == 0 ? bits : -1;
        map.remove(number, those);
        expected.put(number, old & ~those);
      }
      expected.remove(number, 0L);
      assertThat(map.size()).isEqualTo(expected.size());
    }
    expected.forEach(
        (number, bits) -> {
          assertThat(map.add(number, bits & -bits)).isFalse();
          assertThat(map.add(number, ~bits)).isTrue();
          map.remove(number, -1);
        });
    assertThat(map.size()).isZero();
  }

  @Test
  void noBitsAreAlwaysFreeAndTakeNoPlace() {
    LongBitsMap map = new LongBitsMap();
    assertThat(map.add(5, 0)).isTrue();
    assertThat(map.add(5, 0)).isTrue();
    assertThat(map.size()).isZero();
    map.remove(5, 0);
    map.remove(0, -1);
    assertThat(map.add(0, 1)).isTrue();
    assertThat(map.add(0, 1)).isFalse();
    assertThat(map.size()).isEqualTo(1);
  }
}
