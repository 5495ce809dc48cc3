package io.tsdbsuite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.AnnotationColumn;
import io.tsdbsuite.format.row.HistogramColumn;
import io.tsdbsuite.format.row.PointSummary;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.Values;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Random;
import net.opentsdb.core.Aggregator;
import net.opentsdb.core.Aggregators;
import net.opentsdb.core.Internal;
import org.junit.jupiter.api.Test;

/** Compares single qualifiers, integers and aggregates with OpenTSDB. */
class PointContractTest {
  private static final int TIMES = 50_000;
  private static final int[] LENGTHS = {1, 2, 4, 8};

  private final Random random = new Random(Seed.VALUE);

  @Test
  void qualifiers() {
    for (int i = 0; i < TIMES; i++) {
      long hour = 3600L * (300_000 + random.nextInt(800_000));
      boolean isFloat = random.nextBoolean();
      int length = isFloat ? LENGTHS[2 + random.nextInt(2)] : LENGTHS[random.nextInt(4)];
      short flags = (short) ((isFloat ? 8 : 0) | (length - 1));
      int seconds = random.nextInt(3600);
      int millis = random.nextInt(3_600_000);

      assertThat(Qualifier.ofSeconds(seconds, isFloat, length))
          .as(Seed.describe(i))
          .isEqualTo(Internal.buildQualifier(hour + seconds, flags));
      byte[] q = Qualifier.ofMillis(millis, isFloat, length);
      assertThat(q)
          .as(Seed.describe(i))
          .isEqualTo(Internal.buildQualifier(hour * 1000 + millis, flags));
      assertThat(Qualifier.offsetMillis(q, 0)).isEqualTo(Internal.getOffsetFromQualifier(q));
      assertThat(Qualifier.isFloat(q, 0)).isEqualTo(Internal.isFloat(q));
      assertThat(Qualifier.valueLength(q, 0)).isEqualTo(Internal.getValueLengthFromQualifier(q));
    }
  }

  @Test
  void prefixedQualifiers() {
    long hour = 1_600_000_000L / 3600 * 3600;
    for (int i = 0; i < TIMES; i++) {
      int seconds = random.nextInt(3600);
      byte[] q = Internal.getQualifier(hour + seconds, (byte) 6);
      assertThat(HistogramColumn.is(q, 0, q.length)).isTrue();
      assertThat(HistogramColumn.offsetMillis(q, 0, q.length)).isEqualTo(seconds * 1000L);
      int millis = random.nextInt(3_600_000);
      q = Internal.getQualifier(hour * 1000 + millis, (byte) 1);
      assertThat(AnnotationColumn.is(q, 0, q.length)).isTrue();
      assertThat(AnnotationColumn.offsetMillis(q, 0, q.length)).isEqualTo(millis);
    }
  }

  @Test
  void integers() {
    for (int i = 0; i < TIMES; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      byte[] bytes = Values.encodeInteger(value);
      assertThat(bytes).as(Seed.describe(i)).isEqualTo(Internal.vleEncodeLong(value));
      long raw = Values.rawBits(bytes, 0, bytes.length);
      assertThat(Values.toLong(bytes.length, raw)).isEqualTo(value);
      assertThat(value)
          .isEqualTo(Internal.extractIntegerValue(bytes, 0, (byte) (bytes.length - 1)));
    }
  }

  @Test
  void aggregatesWithNaNInfinityAndNegativeZero() {
    double[] special = {
      Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.0, -0.0, Double.MAX_VALUE
    };
    PointSummary summary = new PointSummary();
    for (int i = 0; i < TIMES; i++) {
      double[] values = new double[1 + random.nextInt(6)];
      for (int v = 0; v < values.length; v++) {
        values[v] =
            random.nextBoolean()
                ? special[random.nextInt(special.length)]
                : random.nextGaussian() * Math.pow(10, random.nextInt(20));
      }
      summary.clear();
      for (double value : values) {
        summary.add(value);
      }
      String where = Seed.describe(i) + java.util.Arrays.toString(values);
      same(where + " sum", summary.sum(), run(Aggregators.SUM, values));
      same(where + " min", summary.min(), run(Aggregators.MIN, values));
      same(where + " max", summary.max(), run(Aggregators.MAX, values));
      same(where + " count", (double) summary.count(), run(Aggregators.COUNT, values));
    }
  }

  private static void same(String where, double actual, double expected) {
    assertThat(Double.doubleToLongBits(actual))
        .as(where + ": " + actual + " instead of " + expected)
        .isEqualTo(Double.doubleToLongBits(expected));
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
