package io.tsdbsuite.nightly.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.planner.run.ShellWords;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void wordsAsInAShell() {
    assertThat(Words.split(" --conf  'a=b c' \"it's\"x '' \t"))
        .containsExactly("--conf", "a=b c", "it'sx", "");
    assertThat(Words.split("")).isEmpty();
    List<String> words = List.of("--metrics", "sys.*,!a b", "{table}-{date}");
    assertThat(Words.split(ShellWords.join(words))).isEqualTo(words);
  }

  @Test
  void anOpenQuote() {
    assertThatThrownBy(() -> Words.split("a 'b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("must end each quote, found an open '");
  }
}
