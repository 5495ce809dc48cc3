package io.tsdbsuite.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotesHeaderTest {
  @Test
  void isOneLine() {
    assertThat(NotesHeader.of(List.of("0: 1d:3", "1: raw"))).isEqualTo("0: 1d:3 | 1: raw");
    assertThat(NotesHeader.of(List.of("0: größe\r\nX: y"))).isEqualTo("0: gr??e??X: y");
  }

  @Test
  void isShort() {
    String value = NotesHeader.of(Collections.nCopies(100, "0: " + "x".repeat(97)));
    assertThat(value).hasSizeLessThan(2200).endsWith(" | 81 more");
    assertThat(NotesHeader.of(List.of("x".repeat(5000)))).isEqualTo("1 more");
  }
}
