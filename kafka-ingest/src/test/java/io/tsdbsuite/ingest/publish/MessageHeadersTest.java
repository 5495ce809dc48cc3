package io.tsdbsuite.ingest.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageHeadersTest {
  @Test
  void textsAreCutBetweenCharacters() {
    assertThat(MessageHeaders.bytes("abc", 3)).isEqualTo("abc".getBytes(UTF_8));
    assertThat(MessageHeaders.bytes("abcd", 3)).isEqualTo("abc".getBytes(UTF_8));
    assertThat(MessageHeaders.bytes("\u6771\u4eac", 6)).isEqualTo("\u6771\u4eac".getBytes(UTF_8));
    assertThat(MessageHeaders.bytes("\u6771\u4eac", 5)).isEqualTo("\u6771".getBytes(UTF_8));
    assertThat(MessageHeaders.bytes("\ud83d\ude00", 3)).isEmpty();
  }
}
