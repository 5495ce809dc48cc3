package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.quickstart.query.Answer.Point;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AnswerTest {
  @Test
  void answersForAdjoiningRangesAreOne() {
    Answer first = new Answer(new TreeMap<>(Map.of("{a=1}", List.of(new Point(1, 1)))));
    Answer second =
        new Answer(
            new TreeMap<>(
                Map.of("{a=1}", List.of(new Point(2, 2)), "{a=2}", List.of(new Point(2, 3)))));

    Answer joined = Answer.join(List.of(first, second));

    assertThat(joined.series())
        .containsOnlyKeys("{a=1}", "{a=2}")
        .containsEntry("{a=1}", List.of(new Point(1, 1), new Point(2, 2)));
    assertThat(joined.size()).isEqualTo(3);
  }
}
