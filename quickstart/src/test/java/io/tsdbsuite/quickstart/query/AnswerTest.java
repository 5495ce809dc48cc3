package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AnswerTest {
  @Test
  void ofSeveralValuesForOneTimeTheLastOneCounts() {
    Answer split =
        new Answer(
            new TreeMap<>(
                Map.of(
                    "{}",
                    List.of(new Point(1, 1), new Point(2, 2), new Point(1, 10), new Point(3, 3)))));

    assertThat(split.lastOfEachTime().points())
        .containsExactly(new Point(1, 10), new Point(2, 2), new Point(3, 3));
  }
}
