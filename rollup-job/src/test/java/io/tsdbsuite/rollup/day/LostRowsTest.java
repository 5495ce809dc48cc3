package io.tsdbsuite.rollup.day;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LostRowsTest {
  private static final int ROWS = 200;

  private static byte[] row(int number) {
    return new byte[] {1, (byte) number, 0};
  }

  private static byte[] border(int number) {
    return number >= ROWS ? new byte[0] : new byte[] {1, (byte) number};
  }

  @Test
  void nothingIsLostAtFirst() {
    LostRows lost = new LostRows();
    assertThat(lost.isEmpty()).isTrue();
    assertThat(lost.has(row(0))).isFalse();
  }

  /**
   * Ranges that touch, overlap, lie in another or leave gaps, some of them forgotten on the way.
   */
  @Test
  void knowsWhatIsInARange() {
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      LostRows lost = new LostRows();
      BitSet expected = new BitSet();
      int forgotten = 0;
      int from = 0;
      while (from < ROWS) {
        int to = from + 1 + random.nextInt(30);
        lost.add(border(from), border(to));
        expected.set(from, Math.min(to, ROWS));
        if (random.nextInt(3) == 0) {
          forgotten = from;
          lost.forgetBefore(border(from));
        }
        from += 1 + random.nextInt(40);
      }
      for (int i = forgotten; i < ROWS; i++) {
        assertThat(lost.has(row(i))).as("seed %d, row %d", seed, i).isEqualTo(expected.get(i));
      }
    }
  }

  @Test
  void rangesThatAreBehindAreForgotten() {
    LostRows lost = new LostRows();
    lost.add(border(3), border(5));
    lost.add(border(8), border(9));
    lost.forgetBefore(border(4));
    assertThat(lost.has(row(4))).isTrue();
    lost.forgetBefore(border(9));
    assertThat(lost.isEmpty()).isTrue();
  }
}
