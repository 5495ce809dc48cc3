package io.tsdbsuite.meta.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwedTest {
  private static OwedSeries owed(int number, long points) {
    return OwedSeries.counter(Series.of(number), points);
  }

  @Test
  void mergesPerSeriesAndIsBounded() {
    Owed owed = new Owed(2);
    assertThat(owed.add(owed(1, 5))).isTrue();
    assertThat(owed.add(owed(2, 6))).isTrue();
    assertThat(owed.add(owed(3, 7))).as("there is no room").isFalse();
    assertThat(owed.add(owed(1, 8))).as("it is in already").isTrue();
    assertThat(owed.points()).isEqualTo(19);
    owed.addAgain(owed(3, 7));
    assertThat(owed.size()).isEqualTo(3);
    assertThat(owed.take(new Tsuid(Series.of(1))).points()).isEqualTo(13);
    assertThat(owed.take(new Tsuid(Series.of(1)))).isNull();
    assertThat(owed.points()).isEqualTo(13);
  }

  @Test
  void remembersThatATsMetaIsMissing() {
    Owed owed = new Owed(1);
    owed.add(OwedSeries.tsMeta(Series.of(1)));
    owed.add(owed(1, 3));
    OwedSeries series = owed.take(new Tsuid(Series.of(1)));
    assertThat(series.tsMeta()).isTrue();
    assertThat(series.points()).isEqualTo(3);
  }
}
