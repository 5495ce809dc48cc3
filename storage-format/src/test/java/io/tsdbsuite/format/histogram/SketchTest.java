package io.tsdbsuite.format.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tsdbsuite.format.Hex;
import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.testkit.seed.Seed;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SketchTest {
  private static final double[] PERCENTS = {0, 0.1, 1, 5, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100};
  private static final double BOUND = 0.01;

  static Sketch of(double... values) {
    Sketch sketch = new Sketch();
    sketch.addAll(values, 0, values.length);
    return sketch;
  }

  private static Sketch decoded(byte[] bytes) {
    return Sketch.of(bytes, 0, bytes.length);
  }

  /** Values of the shapes that the bound is promised for. */
  static Map<String, DoubleSupplier> distributions(Random random) {
    Map<String, DoubleSupplier> drawn = new LinkedHashMap<>();
    drawn.put("uniform", () -> 1000 * random.nextDouble());
    drawn.put("normal", () -> 100 + 10 * random.nextGaussian());
    drawn.put("lognormal", () -> Math.exp(3 + random.nextGaussian()));
    drawn.put("Pareto", () -> Math.pow(1 - random.nextDouble(), -1 / 1.2));
    drawn.put(
        "bimodal", () -> (random.nextInt(10) < 9 ? 1 : 5000) * (1 + 0.1 * random.nextGaussian()));
    drawn.put("constant", () -> 42.17);
    drawn.put("mixed sign", () -> 1000 * random.nextGaussian() * random.nextInt(20));
    return drawn;
  }

  private static double[] draw(DoubleSupplier values, int n) {
    return IntStream.range(0, n).mapToDouble(i -> values.getAsDouble()).toArray();
  }

  @Test
  void theVectorOfTheFormat() {
    assertThat(Hex.of(of(0, -2.5, 1, 1, 42.17).bytes())).isEqualTo("010a01015c01020002bb0101");
    assertThat(Double.doubleToRawLongBits(7 / (10 * StrictMath.log((1 + BOUND) / (1 - BOUND)))))
        .isEqualTo(0x40417fd9c50798cfL);
    assertThat(
            new int[] {
              NaiveSketch.index(1),
              NaiveSketch.index(0.1),
              NaiveSketch.index(1e9),
              NaiveSketch.index(Double.MIN_VALUE),
              NaiveSketch.index(Double.MAX_VALUE)
            })
        .containsExactly(0, -117, 1046, -37589, 35838);
    assertThat(Hex.of(of().bytes())).isEqualTo("010a000000");
    assertThat(Hex.of(of(Double.NaN).bytes())).isEqualTo("010a000000");
  }

  /** Bits drawn over all doubles, and of each shape. */
  @Test
  void bytesAreThoseOfTheFormat() {
    Random random = new Random(Seed.VALUE + 1);
    int cases = Seed.times(200, 5000);
    for (int i = 0; i < cases; i++) {
      List<DoubleSupplier> shapes = new ArrayList<>(distributions(random).values());
      shapes.add(
          () -> {
            double any = Double.longBitsToDouble(random.nextLong());
            return Double.isInfinite(any) ? 0 : any;
          });
      shapes.add(() -> random.nextInt(2000) * Double.MIN_VALUE * (random.nextInt(3) - 1));
      double[] values = draw(shapes.get(random.nextInt(shapes.size())), random.nextInt(500));
      NaiveSketch naive = new NaiveSketch();
      naive.add(values);
      byte[] bytes = of(values).bytes();
      assertThat(Hex.of(bytes)).as("case %d", i).isEqualTo(Hex.of(naive.bytes()));
      assertThat(Hex.of(decoded(bytes).bytes())).as("case %d", i).isEqualTo(Hex.of(bytes));
    }
  }

  @Test
  void percentilesAreWithinTheBound() {
    Random random = new Random(Seed.VALUE + 2);
    for (Map.Entry<String, DoubleSupplier> shape : distributions(random).entrySet()) {
      for (int n : new int[] {1, 2, 3, 7, 60, 360, 3600, 8640, 100_000, 1_000_000}) {
        double[] values = draw(shape.getValue(), n);
        Sketch sketch = of(values);
        assertThat(sketch.count()).isEqualTo(n);
        assertThat(sketch.isTooWide()).isFalse();
        Arrays.sort(values);
        expectWithinTheBound(shape.getKey() + ", " + n, decoded(sketch.bytes()), values);
      }
    }
  }

  private static void expectWithinTheBound(String what, Sketch sketch, double[] sorted) {
    int n = sorted.length;
    for (double p : PERCENTS) {
      double position = p / 100 * (n + 1);
      int below = (int) Math.min(n, Math.max(1, Math.floor(position)));
      double lower = sorted[below - 1];
      double upper = sorted[position < 1 ? 0 : Math.min(n - 1, below)];
      double exact = Percentiles.of(sorted, 0, n, p);
      double larger = Math.max(Math.abs(lower), Math.abs(upper));
      double allowed = Math.max(BOUND * larger, larger < Double.MIN_NORMAL ? Double.MIN_VALUE : 0);
      assertThat(Math.abs(sketch.percentile(p) - exact))
          .as("%s, p%s: %s for %s", what, p, sketch.percentile(p), exact)
          .isLessThanOrEqualTo(allowed);
    }
  }

  @Test
  void allOrdersOfMergesGiveTheSameBytes() {
    Random random = new Random(Seed.VALUE + 3);
    for (DoubleSupplier shape : distributions(random).values()) {
      List<double[]> hours = new ArrayList<>();
      Sketch day = new Sketch();
      for (int hour = 0; hour < 24; hour++) {
        double[] values = draw(shape, random.nextInt(200));
        hours.add(values);
        day.addAll(values, 0, values.length);
      }
      String expected = Hex.of(day.bytes());
      for (int order = 0; order < 1000; order++) {
        List<Sketch> left = new ArrayList<>();
        hours.forEach(values -> left.add(of(values)));
        while (left.size() > 1) {
          Sketch other = left.remove(random.nextInt(left.size()));
          Sketch into = left.get(random.nextInt(left.size()));
          if (random.nextBoolean()) {
            into.add(other);
          } else {
            byte[] bytes = other.bytes();
            into.add(bytes, 0, bytes.length);
          }
        }
        assertThat(Hex.of(left.get(0).bytes())).isEqualTo(expected);
        assertThat(left.get(0).count()).isEqualTo(day.count());
      }
    }
  }

  /** Every truncated encoding, and every one with another byte, or one more. */
  @Test
  void changedBytesAreRefusedOrCanonical() {
    Random random = new Random(Seed.VALUE + 4);
    List<double[]> contents = new ArrayList<>(List.of(new double[0], new double[] {0}));
    contents.add(new double[] {0, -2.5, 1, 1, 42.17});
    contents.add(new double[] {-1e300, -1e-300, Double.MIN_VALUE, 4e-323, 1e-310, 1e300});
    contents.add(new double[] {Double.MAX_VALUE, -Double.MAX_VALUE});
    distributions(random).values().forEach(shape -> contents.add(draw(shape, 60)));
    int refused = 0;
    int canonical = 0;
    for (double[] values : contents) {
      byte[] bytes = of(values).bytes();
      List<byte[]> changed = new ArrayList<>();
      for (int at = 0; at < bytes.length; at++) {
        changed.add(Arrays.copyOf(bytes, at));
        for (int to = 1; to < 256; to++) {
          byte[] other = bytes.clone();
          other[at] ^= (byte) to;
          changed.add(other);
        }
      }
      changed.add(Arrays.copyOf(bytes, bytes.length + 1));
      for (byte[] other : changed) {
        Sketch sketch;
        try {
          sketch = decoded(other);
          Sketch.check(other, 0, other.length);
        } catch (IllegalArgumentException e) {
          assertThat(e).hasMessageContaining("found");
          assertThatIllegalArgumentException()
              .isThrownBy(() -> Sketch.check(other, 0, other.length))
              .withMessage(e.getMessage());
          refused++;
          continue;
        }
        canonical++;
        assertThat(Hex.of(sketch.bytes())).isEqualTo(Hex.of(other));
      }
    }
    assertThat(refused).isPositive();
    assertThat(canonical).isPositive();
  }

  @Test
  void refusalsNameByteRuleAndValue() {
    expectRefused("", "before byte 0: the version must have 1 bytes, found 0");
    expectRefused("020a000000", "before byte 1: the version must be 1 to 1, found 2");
    expectRefused("0100000000", "before byte 2: the bound must be 1 to 50, found 0");
    expectRefused("0133000000", "before byte 2: the bound must be 1 to 50, found 51");
    expectRefused("010a8000 0000", "the zeros must have the shortest form, found 2 bytes");
    expectRefused("010a ffffffffffffffffff 0000", "the zeros must be 0 to 9223372036854775807");
    expectRefused("010a00 8120", "the bins must be 0 to 4096, found 4097");
    expectRefused("010a00 00 010200", "a count must be 1 to 9223372036854775807, found 0");
    expectRefused("010a00 00 0180e00801", "an index must be the index of a double, found 71680");
    expectRefused("010a00 00 01abcb0401", "an index must be the index of a double, found -37590");
    expectRefused("010a00 00 01a7cb0401", "an index must be the index of a double, found -37588");
    expectRefused("010a00 00 00 00", "no byte must follow, found 1");
    expectRefused("010a ffffffffffffffff7f 00 010001", "a count must be 1 to 0, found 1");
  }

  private static void expectRefused(String hex, String message) {
    byte[] bytes = Hex.bytes(hex);
    assertThatIllegalArgumentException()
        .as(hex)
        .isThrownBy(() -> decoded(bytes))
        .withMessageContaining(message);
  }

  @Test
  void edgesOfDoubles() {
    double[] values = {
      Double.MIN_VALUE,
      2 * Double.MIN_VALUE,
      60 * Double.MIN_VALUE,
      61 * Double.MIN_VALUE,
      1e-310,
      Math.nextDown(Double.MIN_NORMAL),
      Double.MIN_NORMAL,
      Math.nextDown(1),
      1,
      Math.nextUp(1),
      1e300,
      Math.nextDown(Double.MAX_VALUE),
      Double.MAX_VALUE
    };
    for (double value : values) {
      for (double signed : new double[] {value, -value}) {
        expectWithinTheBound(Double.toString(signed), of(signed), new double[] {signed});
        assertThat(Math.signum(of(signed).percentile(50))).isEqualTo(Math.signum(signed));
      }
    }
    expectWithinTheBound("all", of(values), values);
    assertThat(of(0.0, -0.0).percentile(50)).isEqualTo(0.0);
    assertThat(of(0.0, -0.0).bytes()).isEqualTo(of(-0.0, -0.0).bytes());
    assertThat(of(-5, 0, 0, 0, 5).percentile(50)).isZero();
    assertThat(of(-1.5e308, 1.5e308).percentile(50)).as("as a TSD").isInfinite();
    assertThat(of().percentile(50)).isNaN();
    assertThat(of(Double.NaN, 3).count()).isEqualTo(1);
    for (double infinite : new double[] {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      Sketch sketch = of(1);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sketch.add(infinite))
          .withMessage("values must be finite, found an infinite one");
      assertThat(sketch.bytes()).isEqualTo(of(1).bytes());
    }
    for (double p : new double[] {-1, 100.01, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> of(1).percentile(p))
          .withMessage("a percentile must be 0 to 100, found " + p);
    }
  }

  /** Never collapsed: a caller asks, and percentiles stay good. */
  @Test
  void tooWide() {
    double[] values =
        IntStream.range(0, Sketch.MAX_BINS + 1)
            .mapToDouble(i -> (i % 2 == 0 ? 1 : -1) * Math.pow(1.03, i / 2 - 1000))
            .toArray();
    Sketch sketch = of(Arrays.copyOf(values, Sketch.MAX_BINS));
    assertThat(sketch.isTooWide()).isFalse();
    assertThat(decoded(sketch.bytes()).bytes()).isEqualTo(sketch.bytes());
    Sketch last = of(values[Sketch.MAX_BINS]);
    sketch.add(last);
    assertThat(sketch.isTooWide()).isTrue();
    assertThatThrownBy(sketch::bytes)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a sketch must have at most 4096 bins, found 4097");
    Arrays.sort(values);
    expectWithinTheBound("too wide", sketch, values);
    sketch.clear();
    assertThat(sketch.isTooWide()).isFalse();
    sketch.add(1);
    assertThat(sketch.bytes()).isEqualTo(of(1).bytes());
  }

  @Test
  void refusedMergesAddNothing() {
    Sketch sketch = of(1, -2, 0);
    byte[] before = sketch.bytes();
    byte[] otherBound = Hex.bytes("0114000001 0003");
    assertThat(Hex.of(decoded(otherBound).bytes())).isEqualTo(Hex.of(otherBound));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sketch.add(decoded(otherBound)))
        .withMessage("sketches must have the same bound, found 10 and 20 thousandths");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sketch.add(otherBound, 0, otherBound.length));
    byte[] most = Hex.bytes("010a ffffffffffffffff7f 0000");
    assertThat(decoded(most).count()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> sketch.add(decoded(most))).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> sketch.add(most, 0, most.length))
        .isInstanceOf(ArithmeticException.class);
    byte[] cut = Hex.bytes("010a05 00 020001");
    assertThatIllegalArgumentException().isThrownBy(() -> sketch.add(cut, 0, cut.length));
    assertThat(sketch.bytes()).isEqualTo(before);
    assertThat(sketch.count()).isEqualTo(3);
  }

  @Test
  void allocatesOnlyToGrow() {
    Sketch sketch = new Sketch();
    double[] values = draw(distributions(new Random(Seed.VALUE + 5)).get("mixed sign"), 10_000);
    sketch.addAll(values, 0, values.length);
    long least =
        allocated(
            () -> {
              sketch.clear();
              sketch.addAll(values, 0, values.length);
            });
    assertThat(least).as("bytes for 10,000 points").isLessThan(1000);
  }

  /** Memory follows the bins, not the span of their indexes: anybody may put a payload. */
  @Test
  void fewBinsFarApartTakeFewBytes() {
    byte[] percent =
        of(-Double.MAX_VALUE, -Double.MIN_VALUE, Double.MIN_VALUE, Double.MAX_VALUE).bytes();
    // Bins -357,000 and 358,000 of each sign, with a bound of 0.1 %.
    byte[] thousandth = Hex.bytes("010100 02 8fca2b01 f7d12b01 02 8fca2b01 f7d12b01");
    assertThat(Hex.of(decoded(thousandth).bytes())).isEqualTo(Hex.of(thousandth));
    assertThat(allocated(() -> Sketch.check(percent, 0, percent.length))).isLessThan(1000);
    assertThat(allocated(() -> Sketch.check(thousandth, 0, thousandth.length))).isLessThan(2000);
    assertThat(allocated(() -> decoded(percent))).isLessThan(50_000);
    assertThat(allocated(() -> decoded(thousandth))).isLessThan(500_000);
    Sketch sum = of(1);
    sum.clear();
    sum.add(percent, 0, percent.length);
    assertThat(sum.bytes()).isEqualTo(percent);
  }

  /** Of any payload, the work is linear in its bins. */
  @Test
  void binsThatAreAddedInOrderTakeFewBytes() {
    // About one a page: 17 indexes lie between two of them.
    double[] ascending =
        IntStream.range(0, 4000).mapToDouble(i -> Math.exp(0.345 * (i - 2000))).toArray();
    double[] descending = IntStream.range(0, 4000).mapToDouble(i -> ascending[3999 - i]).toArray();
    assertThat(allocated(() -> of(ascending))).isLessThan(1_000_000);
    assertThat(allocated(() -> of(descending))).isLessThan(1_000_000);
  }

  /** Bytes that the work allocates. */
  private static long allocated(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    // The JIT compiler may allocate too, so the best of several rounds counts.
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      work.run();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }
}
