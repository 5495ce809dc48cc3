package io.tsdbsuite.query.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.histogram.Sketch;
import io.tsdbsuite.query.plan.RollupFunction;
import org.junit.jupiter.api.Test;

class BucketValueTest {
  @Test
  void sumsMayDifferInTheirLastBits() {
    assertThat(same(RollupFunction.SUM, of(RollupFunction.SUM, 0.6), 0.1, 0.2, 0.3)).isTrue();
    assertThat(same(RollupFunction.SUM, of(RollupFunction.SUM, 0.600001), 0.1, 0.2, 0.3)).isFalse();
    assertThat(same(RollupFunction.SUM, of(RollupFunction.SUM, 0), 0.1, 0.2, 0.3)).isFalse();
  }

  @Test
  void whatCancelsOutDoesNotMakeTheRestWrong() {
    double rounded = 1e15 + 0.1 - 1e15;
    assertThat(rounded).isNotEqualTo(0.1);
    assertThat(same(RollupFunction.SUM, of(RollupFunction.SUM, 0.1), 1e15, 0.1, -1e15)).isTrue();
  }

  @Test
  void infinityIsTheSameAsItselfAlone() {
    double infinity = Double.POSITIVE_INFINITY;
    assertThat(same(RollupFunction.SUM, of(RollupFunction.SUM, infinity), infinity, 1)).isTrue();
    assertThat(same(RollupFunction.SUM, of(RollupFunction.SUM, 5), infinity, 1)).isFalse();
    assertThat(same(RollupFunction.SUM, of(RollupFunction.SUM, -infinity), infinity)).isFalse();
  }

  @Test
  void othersMustBeExact() {
    double almost = Math.nextUp(2.0);
    assertThat(same(RollupFunction.MIN, of(RollupFunction.MIN, 2), 3, 2, 4)).isTrue();
    assertThat(same(RollupFunction.MIN, of(RollupFunction.MIN, almost), 3, 2, 4)).isFalse();
    assertThat(same(RollupFunction.MAX, of(RollupFunction.MAX, 2), -1, 2, 0)).isTrue();
    assertThat(same(RollupFunction.MAX, of(RollupFunction.MAX, almost), 2)).isFalse();
    assertThat(same(RollupFunction.COUNT, of(RollupFunction.COUNT, 3), 1, 1, 1)).isTrue();
    assertThat(same(RollupFunction.COUNT, of(RollupFunction.COUNT, 4), 1, 1, 1)).isFalse();
  }

  @Test
  void percentilesFirstAndLastMustBeExact() {
    double[] points = {10, 2, 7, 1, 5};
    // Position 5.94 of 5 points is behind the last one; 3 of 5 is the third.
    assertThat(same(RollupFunction.P99, of(RollupFunction.P99, 10), points)).isTrue();
    assertThat(same(RollupFunction.P50, of(RollupFunction.P50, 5), points)).isTrue();
    assertThat(same(RollupFunction.P50, of(RollupFunction.P50, Math.nextUp(5.0)), points))
        .isFalse();
    assertThat(same(RollupFunction.P50, of(RollupFunction.P50, 3.5), 5, 2)).isTrue();
    assertThat(same(RollupFunction.FIRST, of(RollupFunction.FIRST, 10), points)).isTrue();
    assertThat(same(RollupFunction.FIRST, of(RollupFunction.FIRST, 5), points)).isFalse();
    assertThat(same(RollupFunction.LAST, of(RollupFunction.LAST, 5), points)).isTrue();
    assertThat(same(RollupFunction.LAST, of(RollupFunction.LAST, 10), points)).isFalse();
    BucketValue raw = of(RollupFunction.P50, 4);
    raw.add(1, 1);
    assertThat(raw.kept()).isEqualTo(2);
    assertThat(raw).hasToString("2.5");
    assertThat(raw.kept()).as("points after the value is computed").isZero();
    assertThat(raw).hasToString("2.5");
    assertThatIllegalStateException()
        .isThrownBy(() -> raw.add(3, 1))
        .withMessage("no value must follow a computed percentile, found 3.0");
    assertThat(raw.isUnchanged(of(RollupFunction.P50, 2.5))).as("another count").isFalse();
  }

  @Test
  void anAverageIsASumAndACount() {
    BucketValue rollup = new BucketValue(RollupFunction.AVG);
    rollup.add(6, 3);
    assertThat(same(RollupFunction.AVG, rollup, 1, 2, 3)).isTrue();
    // The same average of other points.
    assertThat(same(RollupFunction.AVG, rollup, 2)).isFalse();
    assertThat(same(RollupFunction.AVG, rollup, 2, 4)).isFalse();
    assertThat(rollup).hasToString("sum 6.0, count 3");
  }

  @Test
  void aMissingValueIsADifference() {
    BucketValue none = new BucketValue(RollupFunction.SUM);
    assertThat(same(RollupFunction.SUM, none, 0)).isFalse();
    assertThat(same(RollupFunction.SUM, of(RollupFunction.SUM, 0))).isFalse();
    assertThat(same(RollupFunction.SUM, none)).isTrue();
    assertThat(none).hasToString("none");
  }

  @Test
  void nanIsNoValue() {
    BucketValue none = new BucketValue(RollupFunction.MIN);
    assertThat(same(RollupFunction.MIN, none, Double.NaN)).isTrue();
    // What the reader gives for a NaN.
    assertThat(same(RollupFunction.COUNT, new BucketValue(RollupFunction.COUNT), 0)).isTrue();
  }

  @Test
  void histogramsAreTheSameByTheirBytes() {
    Sketch sketch = new Sketch();
    sketch.add(5);
    BucketValue one = new BucketValue(HistogramCodecs.SKETCH, sketch.bytes());
    BucketValue same = new BucketValue(HistogramCodecs.SKETCH, sketch.bytes());
    sketch.add(7);
    BucketValue other = new BucketValue(HistogramCodecs.SKETCH, sketch.bytes());
    BucketValue none = new BucketValue(null, new byte[0]);
    assertThat(one.isSameAs(same)).isTrue();
    assertThat(one.isUnchanged(same)).isTrue();
    assertThat(one.isSameAs(other)).isFalse();
    assertThat(one.isUnchanged(other)).isFalse();
    assertThat(one.isSameAs(none)).isFalse();
    assertThat(one.isSameAs(new BucketValue(HistogramCodecs.SIMPLE, new Sketch().bytes())))
        .isFalse();
    assertThat(none.isPresent()).isFalse();
    assertThat(none).hasToString("none");
    assertThat(other.toString()).startsWith("p50 ").contains(", p99 ").endsWith(", count 2");
    assertThat(new BucketValue("a.Codec", new byte[] {1, 2}))
        .asString()
        .startsWith("2 bytes of a.Codec, hash ");
  }

  private static BucketValue of(RollupFunction function, double value) {
    BucketValue rollup = new BucketValue(function);
    rollup.add(value, 1);
    return rollup;
  }

  private static boolean same(RollupFunction function, BucketValue rollup, double... points) {
    BucketValue raw = new BucketValue(function);
    for (double point : points) {
      raw.add(point, 1);
    }
    return rollup.isSameAs(raw);
  }
}
