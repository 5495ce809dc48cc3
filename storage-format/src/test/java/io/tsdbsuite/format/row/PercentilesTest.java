package io.tsdbsuite.format.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values follow by hand from docs/storage.md 12; storage-contract compares with OpenTSDB. */
class PercentilesTest {
  private static final double[] SORTED = {Double.NaN, -2, 1, 1, 5, 9, 20, Double.NaN};

  @ParameterizedTest
  @CsvSource({"50, 3", "75, 11.75", "10, -2", "14, -2", "25, 0.25", "86, 20", "99.9, 20"})
  void betweenTheTwoNeighbours(double p, double expected) {
    assertThat(Percentiles.of(SORTED, 1, 7, p)).isEqualTo(expected);
  }

  @Test
  void fewValues() {
    assertThat(Percentiles.of(SORTED, 4, 4, 50)).isNaN();
    assertThat(Percentiles.of(SORTED, 4, 5, 99)).isEqualTo(5);
    assertThat(Percentiles.of(SORTED, 4, 6, 50)).isEqualTo(7);
    assertThat(Percentiles.of(new double[] {-1.5e308, 1.5e308}, 0, 2, 50)).isInfinite();
  }

  @ParameterizedTest
  @CsvSource({"p50, 50", "p75, 75", "p90, 90", "p95, 95", "p99, 99", "p999, 99.9"})
  void ranks(String name, double p) {
    assertThat(Percentiles.rank(name)).isEqualTo(p);
  }

  @Test
  void otherNames() {
    assertThatThrownBy(() -> Percentiles.rank("p98"))
        .hasMessage("must be one of p50 p75 p90 p95 p99 p999, found 'p98'");
  }
}
