package io.tsdbsuite.rollup.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SeriesSampleTest {
  private static final int SERIES = 100_000;

  private static long count(SeriesSample... samples) {
    return IntStream.range(0, SERIES)
        .filter(
            i -> {
              byte[] tsuid = ByteBuffer.allocate(9).putInt(5, i).array();
              for (SeriesSample sample : samples) {
                if (!sample.wants(tsuid)) {
                  return false;
                }
              }
              return true;
            })
        .count();
  }

  @Test
  void takesTheFraction() {
    assertThat(count(new SeriesSample(1, 1, 7))).isEqualTo(SERIES);
    assertThat(count(new SeriesSample(0.1, 1, 0))).isCloseTo(SERIES / 10, Offset.offset(500L));
    assertThat(count(new SeriesSample(0.001, 1, 1))).isBetween(50L, 150L);
  }

  /** The number of series that a sample of a table has after it was enlarged. */
  private static long enlarged(int tableSeries, SeriesSample sample) {
    SeriesSample now = sample;
    for (int passes = 1; ; passes++) {
      SeriesSample one = now;
      long found =
          IntStream.range(0, tableSeries)
              .filter(i -> one.wants(ByteBuffer.allocate(9).putInt(5, i).array()))
              .count();
      if (now.larger(found).isEmpty()) {
        return found;
      }
      now = now.larger(found).orElseThrow();
      assertThat(passes).isLessThan(5);
    }
  }

  @Test
  void hasALeastNumberOfSeries() {
    SeriesSample sample = new SeriesSample(0.01, 100, 0);
    assertThat(enlarged(0, sample)).isZero();
    assertThat(enlarged(20, sample)).isEqualTo(20);
    assertThat(enlarged(2_000, sample)).isBetween(100L, 400L);
    // That many has 1 % of them.
    assertThat(enlarged(SERIES, sample)).isCloseTo(SERIES / 100, Offset.offset(200L));
    assertThat(enlarged(2_000, new SeriesSample(1e-9, 1, 0))).isBetween(1L, 400L);
  }

  @Test
  void theSeedChooses() {
    SeriesSample one = new SeriesSample(0.1, 1, 1);
    SeriesSample other = new SeriesSample(0.1, 1, 2);
    assertThat(count(one, new SeriesSample(0.1, 1, 1))).isEqualTo(count(one));
    assertThat(count(one, other)).isCloseTo(SERIES / 100, Offset.offset(200L));
  }
}
