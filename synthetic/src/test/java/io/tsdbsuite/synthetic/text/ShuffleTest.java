package io.tsdbsuite.synthetic.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ShuffleTest {
  @Test
  void hasEachNumberOnce() {
    for (int n : new int[] {1, 2, 3, 5, 63, 64, 65, 1000, 4096, 99_991}) {
      Shuffle shuffle = new Shuffle(n, n);
      BitSet seen = new BitSet();
      for (int place = 0; place < n; place++) {
        long number = shuffle.at(place);
        assertThat(number).isBetween(0L, n - 1L);
        seen.set((int) number);
      }
      assertThat(seen.cardinality()).isEqualTo(n);
    }
  }

  @Test
  void leavesNoOrder() {
    int n = 100_000;
    Shuffle shuffle = new Shuffle(n, 7);
    int ascents = 0;
    double distance = 0;
    for (int place = 1; place < n; place++) {
      ascents += shuffle.at(place) > shuffle.at(place - 1) ? 1 : 0;
      distance += Math.abs(shuffle.at(place) - shuffle.at(place - 1));
    }
    assertThat(ascents).isBetween(49_000, 51_000);
    assertThat(distance / n).isBetween(n * 0.32, n * 0.35);
  }
}
