package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.quickstart.query.Answer.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AnswerComparisonTest {
  @Test
  void equalAnswersAgree() {
    AnswerComparison comparison =
        AnswerComparison.of(answer("a", 1, 2.5, 2, -0.1), answer("a", 1, 2.5, 2, -0.1), true);

    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.points()).isEqualTo(2);
    assertThat(comparison.maxRelativeDifference()).isZero();
  }

  @Test
  void lastBitsOfSumsMayDiffer() {
    double next = Math.nextUp(1e9);
    AnswerComparison comparison =
        AnswerComparison.of(answer("a", 1, 1e9), answer("a", 1, next), false);

    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.maxRelativeDifference()).isPositive().isLessThan(1e-15);
    assertThat(AnswerComparison.of(answer("a", 1, 1e9), answer("a", 1, next), true).differences())
        .hasSize(1);
  }

  @Test
  void toleranceIsRelativeAndHolds() {
    assertThat(
            AnswerComparison.of(answer("a", 1, 1e6), answer("a", 1, 1e6 + 0.9e-3), false)
                .differences())
        .isEmpty();
    assertThat(
            AnswerComparison.of(answer("a", 1, 1e6), answer("a", 1, 1e6 + 1.1e-3), false)
                .differences())
        .hasSize(1);
    assertThat(AnswerComparison.of(answer("a", 1, 1e-6), answer("a", 1, 2e-6), false).differences())
        .hasSize(1);
  }

  @Test
  void missingAndExtraTimesAreTold() {
    AnswerComparison comparison =
        AnswerComparison.of(answer("a", 1, 1, 2, 2, 4, 4), answer("a", 2, 2, 3, 3, 5, 5), false);

    assertThat(comparison.differences()).hasSize(4);
    assertThat(comparison.differences().get(0)).contains("lacks").contains("time=1");
    assertThat(comparison.differences().get(1)).contains("extra").contains("time=3");
    assertThat(comparison.differences().get(2)).contains("lacks").contains("time=4");
    assertThat(comparison.differences().get(3)).contains("extra").contains("time=5");
  }

  @Test
  void timesThatComeTwiceAreTold() {
    assertThat(
            AnswerComparison.of(answer("a", 1, 1, 2, 2), answer("a", 1, 1, 1, 1, 2, 2), false)
                .differences())
        .hasSize(1);
  }

  @Test
  void missingSeriesAreTold() {
    assertThat(AnswerComparison.of(answer("a", 1, 1), answer("b", 1, 1), false).differences())
        .hasSize(2);
    assertThat(
            AnswerComparison.of(new Answer(new TreeMap<>()), answer("b", 1, 1), false)
                .differences())
        .hasSize(1);
  }

  @Test
  void aNumberAndNoNumberDiffer() {
    assertThat(
            AnswerComparison.of(answer("a", 1, Double.NaN), answer("a", 1, 1), false).differences())
        .hasSize(1);
    assertThat(
            AnswerComparison.of(answer("a", 1, Double.NaN), answer("a", 1, Double.NaN), true)
                .differences())
        .isEmpty();
  }

  private static Answer answer(String series, double... timesAndValues) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < timesAndValues.length; i += 2) {
      points.add(new Point((long) timesAndValues[i], timesAndValues[i + 1]));
    }
    return new Answer(new TreeMap<>(Map.of(series, points)));
  }
}
