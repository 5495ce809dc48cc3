package io.tsdbsuite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.Percentiles;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowException;
import io.tsdbsuite.format.row.RowMerger;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.opentsdb.core.Aggregator;
import net.opentsdb.core.Aggregators;
import net.opentsdb.core.RealRows;
import org.junit.jupiter.api.Test;

/** Compares percentiles, first and last with OpenTSDB's (docs/storage.md 12). */
class PercentilesTest {
  private static final int ROWS = Seed.times(4_000, 40_000);
  private static final int ARRAYS = Seed.times(20_000, 300_000);
  private static final List<String> NAMES =
      List.of("p50", "p75", "p90", "p95", "p99", "p999", "first", "last");

  private final Random random = Seed.random();

  /** A value as the suite stores it, of values in time order. */
  private static double ours(String name, double[] values) {
    double[] numbers = Arrays.stream(values).filter(each -> !Double.isNaN(each)).toArray();
    int n = numbers.length;
    if (name.equals("first") || name.equals("last")) {
      return n == 0 ? Double.NaN : numbers[name.equals("first") ? 0 : n - 1];
    }
    // Inside a longer array, whose other values must not count.
    double[] sorted = new double[n + 5];
    Arrays.fill(sorted, Double.NaN);
    System.arraycopy(numbers, 0, sorted, 3, n);
    Arrays.sort(sorted, 3, 3 + n);
    return Percentiles.of(sorted, 3, 3 + n, Percentiles.rank(name));
  }

  /** Equal to the last bit, but that 0.0 and -0.0 are one. */
  private static void same(String where, double actual, double expected) {
    assertThat(Double.compare(actual + 0.0, expected + 0.0))
        .as("%s: %s instead of %s", where, actual, expected)
        .isZero();
  }

  @Test
  void rows() throws Exception {
    RealRows real = DuplicateRule.NEWEST.realRows();
    RowMerger merger = new RowMerger(DuplicateRule.NEWEST.schema());
    RowGenerator generator = new RowGenerator(Seed.VALUE);
    int notFinite = 0;
    for (int i = 0; i < ROWS; i++) {
      GeneratedRow row = generator.good();
      double[] values = values(merger, row);
      for (String name : NAMES) {
        String where = Seed.describe(i) + name + " of " + row;
        double ours = ours(name, values);
        if (Double.isNaN(ours) || Double.isInfinite(ours)) {
          // The distance of two neighbours is more than the greatest double.
          assertThat(answer(real, row, name)).as(where).isNull();
          notFinite++;
        } else {
          same(where, ours, answer(real, row, name));
        }
      }
    }
    assertThat(notFinite).as("not finite").isLessThan(ROWS);
  }

  /** Null if the query fails. */
  private static Double answer(RealRows real, GeneratedRow row, String name) {
    try {
      return real.read(row, List.of(name))[0];
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static double[] values(RowMerger merger, GeneratedRow row) throws RowException {
    merger.reset();
    for (GeneratedCell cell : row.cells()) {
      byte[] q = cell.qualifier();
      byte[] v = cell.value();
      merger.add(q, 0, q.length, v, 0, v.length, cell.timestamp());
    }
    PointBuffer points = merger.merge();
    return Arrays.copyOf(points.doubles(), points.size());
  }

  @Test
  void arrays() {
    int notANumber = 0;
    int notFinite = 0;
    for (int i = 0; i < ARRAYS; i++) {
      double[] values = draw();
      for (String name : NAMES) {
        String where = Seed.describe(i) + name + " of " + Arrays.toString(values);
        double expected = run(Aggregators.get(name), values);
        double ours = ours(name, values);
        boolean isEnd = name.equals("first") || name.equals("last");
        if (isEnd && Double.isNaN(expected)) {
          // A TSD answers NaN; the suite stores the next number.
          assertThat(values[name.equals("first") ? 0 : values.length - 1]).as(where).isNaN();
          notANumber++;
        } else {
          same(where, ours, expected);
        }
        notFinite += Double.isInfinite(ours) ? 1 : 0;
      }
    }
    assertThat(notANumber).as("NaN at an end").isGreaterThan(ARRAYS / 100);
    assertThat(notFinite).as("overflows").isGreaterThan(ARRAYS / 1000);
  }

  /** One to a few hundred values of one kind, or of all. */
  private double[] draw() {
    int n = random.nextInt(20) == 0 ? 400 : random.nextInt(3) == 0 ? 1 : 30;
    double[] values = new double[1 + random.nextInt(n)];
    int kind = random.nextInt(7);
    for (int i = 0; i < values.length; i++) {
      values[i] = draw(kind == 6 ? random.nextInt(6) : kind);
    }
    if (random.nextInt(4) == 0) {
      values[random.nextInt(values.length)] = Double.NaN;
    }
    return values;
  }

  private double draw(int kind) {
    return switch (kind) {
      case 0 -> random.nextInt(4); // ties
      case 1 -> random.nextBoolean() ? 0.0 : -0.0;
      case 2 -> random.nextLong(); // beyond 2^53
      case 3 -> (float) random.nextGaussian();
      case 4 -> random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
      default -> (random.nextBoolean() ? 1 : -1) * Double.MAX_VALUE * random.nextDouble();
    };
  }

  private static double run(Aggregator aggregator, double[] values) {
    return aggregator.runDouble(
        new Aggregator.Doubles() {
          private int next;

          @Override
          public boolean hasNextValue() {
            return next < values.length;
          }

          @Override
          public double nextDoubleValue() {
            return values[next++];
          }
        });
  }
}
