package io.tsdbsuite.stream.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PackedPointTest {
  private static final int DOUBLE = PointColumn.flags(false, true, 8);

  private final byte[] a = new byte[2 * PackedPoint.MAX];

  private int length(int seconds, int millis, int flags, long bits) {
    int end = PackedPoint.write(a, 3, seconds, millis, flags, bits);
    assertThat(PackedPoint.end(a, 3)).isEqualTo(end);
    assertThat(PackedPoint.seconds(a, 3)).isEqualTo(seconds);
    assertThat(PackedPoint.millis(a, 3)).isEqualTo(millis);
    assertThat(PackedPoint.flags(a, 3)).isEqualTo(flags);
    assertThat(PackedPoint.bits(a, 3)).isEqualTo(bits);
    assertThat(end - 3).isLessThanOrEqualTo(PackedPoint.MAX);
    return end - 3;
  }

  private int length(double value) {
    return length(1, 0, DOUBLE, Double.doubleToRawLongBits(value));
  }

  @Test
  void decimalsAreShort() {
    assertThat(length(0.01)).isEqualTo(3);
    assertThat(length(-1.28)).isEqualTo(3);
    assertThat(length(1.29)).isEqualTo(4);
    assertThat(length(10485.75)).isEqualTo(5);
    assertThat(length(21474836.47)).isEqualTo(6);
    assertThat(length(0.1234)).isEqualTo(4);
    assertThat(length(0.123456)).isEqualTo(5);
  }

  @Test
  void otherDoublesKeepTheirBytes() {
    for (double value :
        new double[] {
          21474836.49,
          0.1234567,
          1.0 / 3,
          -0.0,
          Double.NaN,
          Double.NEGATIVE_INFINITY,
          Double.MAX_VALUE,
          Double.MIN_VALUE,
          Math.nextUp(0.01)
        }) {
      assertThat(length(value)).as("%s", value).isEqualTo(10);
    }
    assertThat(length(1, 0, DOUBLE, 0x7ff8000000000123L)).isEqualTo(10);
  }

  @Test
  void greatestNumbersFit() {
    int flags = PointColumn.flags(true, true, 8) | SeriesEntry.TWO_COLUMNS | SeriesEntry.CONFLICT;
    assertThat(length(Integer.MAX_VALUE, 999, flags, -1)).isEqualTo(PackedPoint.MAX);
    assertThat(length(0, 0, PointColumn.flags(false, false, 1), 0)).isEqualTo(3);
  }

  @Test
  void drawnPointsComeBack() {
    Random random = Seed.random();
    for (int i = 0; i < 200_000; i++) {
      boolean isFloat = random.nextBoolean();
      int width = isFloat ? 4 << random.nextInt(2) : 1 << random.nextInt(4);
      boolean millis = random.nextBoolean();
      int flags =
          PointColumn.flags(millis, isFloat, width)
              | (random.nextInt(4) == 0 ? SeriesEntry.TWO_COLUMNS : 0)
              | (random.nextInt(4) == 0 ? SeriesEntry.CONFLICT : 0);
      long bits = random.nextLong() >>> (Long.SIZE - width * Byte.SIZE);
      if (width == 8 && random.nextBoolean()) {
        double divisor = Math.pow(10, random.nextInt(8));
        bits = Double.doubleToRawLongBits((random.nextInt() >> random.nextInt(31)) / divisor);
      }
      int seconds = random.nextInt() >>> (1 + random.nextInt(31));
      length(seconds, millis ? random.nextInt(1000) : 0, flags, bits);
    }
  }
}
