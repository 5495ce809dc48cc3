package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PointSummaryTest {
  private static final double INF = Double.POSITIVE_INFINITY;
  private final PointSummary summary = new PointSummary();

  private void add(double... values) {
    summary.clear();
    for (double value : values) {
      summary.add(value);
    }
  }

  @Test
  void emptyAndNaN() {
    assertThat(summary.count()).isZero();
    assertThat(summary.sum()).isNaN();
    assertThat(summary.min()).isNaN();
    assertThat(summary.max()).isNaN();
    assertThat(summary.isFinite()).isFalse();

    add(Double.NaN, 3, Double.NaN);
    assertThat(summary.count()).isEqualTo(1);
    assertThat(summary.sum()).isEqualTo(3);
    assertThat(summary.isFinite()).isTrue();
  }

  @Test
  void negativeZero() {
    add(-0.0);
    assertThat(Double.doubleToRawLongBits(summary.sum())).isZero();
    assertThat(Double.doubleToRawLongBits(summary.min())).isEqualTo(Long.MIN_VALUE);
    assertThat(Double.doubleToRawLongBits(summary.max())).isEqualTo(Long.MIN_VALUE);

    add(0.0, -0.0);
    assertThat(Double.doubleToRawLongBits(summary.min())).as("the first stays").isZero();
  }

  @Test
  void infinities() {
    add(INF, 1);
    assertThat(summary.min()).isEqualTo(1);
    assertThat(summary.max()).isEqualTo(INF);
    assertThat(summary.isFinite()).isFalse();

    add(INF);
    assertThat(summary.min()).isNaN();
    add(-INF);
    assertThat(summary.max()).isNaN();
    add(Double.MAX_VALUE, Double.MAX_VALUE);
    assertThat(summary.isFinite()).isFalse();
  }

  @Test
  void goesOnFromWhatWasSaved() {
    double[] state = new double[1 + 2 * PointSummary.STATE];
    new PointSummary().save(state, 1);
    add(1e16, Double.NaN, 1);
    summary.save(state, 1 + PointSummary.STATE);
    summary.load(state, 1);
    assertThat(summary.count()).isZero();
    assertThat(summary.min()).isNaN();
    summary.load(state, 1 + PointSummary.STATE);
    summary.add(1);
    summary.add(-1e16);
    assertThat(summary.sum()).as("as one sum").isEqualTo(1e16 + 1 + 1 - 1e16);
    assertThat(summary.min()).isEqualTo(-1e16);
    assertThat(summary.max()).isEqualTo(1e16);
    assertThat(summary.count()).isEqualTo(4);
  }

  @Test
  void sumsRunFromLeftToRight() {
    add(1e16, 1, 1, -1e16);
    assertThat(summary.sum()).isZero();
  }

  @Test
  void longsAreRoundedFirst() {
    PointBuffer points = new PointBuffer();
    points.addInteger(0, false, 100);
    points.addInteger(1000, false, 9007199254740993L);
    points.addInteger(2000, false, 100);
    summary.addAll(points, 1, 2);

    assertThat(summary.count()).isEqualTo(1);
    assertThat(summary.max()).isEqualTo(9007199254740992.0);
  }
}
