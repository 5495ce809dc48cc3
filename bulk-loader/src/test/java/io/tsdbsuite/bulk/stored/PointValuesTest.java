package io.tsdbsuite.bulk.stored;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.PointBuffer;
import org.junit.jupiter.api.Test;

class PointValuesTest {
  private static PointBuffer integer(long value) {
    PointBuffer points = new PointBuffer();
    points.addInteger(0, false, value);
    return points;
  }

  private static PointBuffer floating(double value) {
    PointBuffer points = new PointBuffer();
    points.addDouble(0, false, value);
    return points;
  }

  private static boolean same(PointBuffer a, PointBuffer b) {
    return PointValues.same(a, 0, b, 0);
  }

  private static int compare(PointBuffer a, PointBuffer b) {
    return Integer.signum(PointValues.compare(a, 0, b, 0));
  }

  @Test
  void widthIsNoDifference() {
    PointBuffer wide = new PointBuffer();
    wide.add(0, true, false, 8, 5);
    assertThat(same(integer(5), wide)).isTrue();
    PointBuffer narrow = new PointBuffer();
    narrow.addFloat(0, false, 1.5f);
    assertThat(same(floating(1.5), narrow)).isTrue();
    assertThat(same(floating(0.1), narrow)).isFalse();
  }

  @Test
  void kindAndSignOfZeroAreDifferences() {
    assertThat(same(integer(5), floating(5))).isFalse();
    assertThat(same(floating(0.0), floating(-0.0))).isFalse();
  }

  @Test
  void comparesExactly() {
    assertThat(compare(integer(1L << 53), integer((1L << 53) + 1))).isNegative();
    assertThat(compare(integer((1L << 53) + 1), floating(0x1p53))).isPositive();
    assertThat(compare(floating(0x1p63), integer(Long.MAX_VALUE))).isPositive();
    assertThat(compare(floating(5), integer(5))).isZero();
    assertThat(compare(floating(-1.5), floating(1))).isNegative();
    assertThat(compare(floating(Double.NEGATIVE_INFINITY), integer(Long.MIN_VALUE))).isNegative();
  }
}
