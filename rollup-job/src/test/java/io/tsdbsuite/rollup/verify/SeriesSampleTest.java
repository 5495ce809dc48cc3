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
    assertThat(count(new SeriesSample(1, 7))).isEqualTo(SERIES);
    assertThat(count(new SeriesSample(0.1, 0))).isCloseTo(SERIES / 10, Offset.offset(500L));
    assertThat(count(new SeriesSample(0.001, 1))).isBetween(50L, 150L);
  }

  @Test
  void theSeedChooses() {
    SeriesSample one = new SeriesSample(0.1, 1);
    SeriesSample other = new SeriesSample(0.1, 2);
    assertThat(count(one, new SeriesSample(0.1, 1))).isEqualTo(count(one));
    assertThat(count(one, other)).isCloseTo(SERIES / 100, Offset.offset(200L));
  }
}
