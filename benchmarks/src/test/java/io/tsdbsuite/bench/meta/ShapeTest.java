package io.tsdbsuite.bench.meta;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTest {
  @ParameterizedTest
  @CsvSource({"1000,10", "100000,1000", "60000,3000", "7,3"})
  void everySeriesIsMetOnce(int series, int metrics) {
    Shape shape = new Shape(series, metrics);
    Set<ByteBuffer> tsuids = new HashSet<>();
    Set<Integer> metricUids = new HashSet<>();
    for (int i = 0; i < series; i++) {
      ByteBuffer tsuid = ByteBuffer.wrap(shape.tsuid(shape.shuffled(i)));
      tsuids.add(tsuid);
      metricUids.add(tsuid.getInt(0) >>> 8);
    }
    assertThat(tsuids).hasSize(series);
    assertThat(metricUids).hasSize(metrics);
  }

  @Test
  void layoutIsThatOfATsuidWithTwoTags() {
    assertThat(new Shape(100_000, 1000).tsuid(99_999))
        .containsExactly(0, 3, (byte) 0xe8, 0, 0, 1, 0, 0, 13, 0, 0, 2, 0, 0, 4);
  }

  @Test
  void zipfFollowsItsLaw() {
    Shape shape = new Shape(1000, 10);
    int[] hits = new int[shape.series()];
    for (int index : shape.points(true, 1_000_000, 1)) {
      hits[index]++;
    }
    int first = hits[shape.shuffled(0)];
    assertThat(first).isEqualTo(Arrays.stream(hits).max().getAsInt());
    assertThat((double) first / hits[shape.shuffled(9)]).isBetween(9.2, 10.4);
  }
}
