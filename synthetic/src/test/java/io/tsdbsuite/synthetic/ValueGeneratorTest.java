package io.tsdbsuite.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ValueGeneratorTest {
  private static final int POINTS = 5000;

  @ParameterizedTest
  @EnumSource
  void areTheSameInWhateverPieces(ValueShape values) {
    ValueGenerator numbers = ValueGenerator.of(Shapes.of(values, 1000, Duration.ofDays(1), 0));
    long[] whole = new long[POINTS];
    byte[] kinds = new byte[POINTS];
    numbers.fill(3, 0, POINTS, whole, kinds);
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int first = random.nextInt(POINTS - 1);
      int n = 1 + random.nextInt(Math.min(300, POINTS - first));
      long[] piece = new long[n];
      byte[] pieceKinds = new byte[n];
      numbers.fill(3, first, n, piece, pieceKinds);
      int width = numbers.width(3, first, n);
      for (int i = 0; i < n; i++) {
        String where = "seed " + seed + ", point " + (first + i);
        assertThat(piece[i]).as(where).isEqualTo(whole[first + i]);
        assertThat(pieceKinds[i]).as(where).isEqualTo(kinds[first + i]);
        if (width != Width.VARIES) {
          assertThat(Width.of(piece[i], pieceKinds[i])).as(where).isEqualTo(width);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void differBySeriesAndSeed(ValueShape values) {
    SyntheticShape shape = Shapes.of(values, 1000, Duration.ofDays(1), 0);
    long[] one = new long[64];
    long[] other = new long[64];
    byte[] kinds = new byte[64];
    ValueGenerator.of(shape).fill(3, 640, 64, one, kinds);
    ValueGenerator.of(shape).fill(4, 640, 64, other, kinds);
    assertThat(other).isNotEqualTo(one);
  }

  @ParameterizedTest
  @EnumSource
  void haveTheirShape(ValueShape values) {
    ValueGenerator numbers = ValueGenerator.of(Shapes.of(values, 1000, Duration.ofDays(1), 0));
    long[] all = new long[POINTS];
    byte[] kinds = new byte[POINTS];
    numbers.fill(7, 100, POINTS, all, kinds);
    for (int i = 0; i < POINTS; i++) {
      switch (values) {
        case COUNTER -> assertThat(all[i]).isGreaterThan(i == 0 ? -1 : all[i - 1]);
        case GAUGE_INT -> assertThat(all[i]).isBetween(0L, 127L);
        case GAUGE -> assertThat(ValueGenerator.toDouble(all[i], kinds[i])).isBetween(0.0, 100.0);
        case FLOAT -> {
          double value = ValueGenerator.toDouble(all[i], kinds[i]);
          assertThat(value).isBetween(-8192.0, 8192.0).isEqualTo((double) (float) value);
        }
        case CONSTANT -> assertThat(all[i]).isEqualTo(all[0]);
        case MIXED -> assertThat(kinds[i]).isBetween(ValueGenerator.INTEGER, ValueGenerator.BINARY);
      }
    }
    if (values == ValueShape.MIXED) {
      assertThat(all).contains(Long.MIN_VALUE, Long.MAX_VALUE, -1, 0);
    }
  }
}
