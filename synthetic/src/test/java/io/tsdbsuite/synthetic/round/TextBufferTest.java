package io.tsdbsuite.synthetic.round;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextBufferTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 9, 10, 99, 100, 1_763_510_400_123L, Long.MAX_VALUE})
  void writesDecimals(long value) {
    TextBuffer out = new TextBuffer();

    out.decimal(value);

    assertThat(out).hasToString(Long.toString(value));
  }

  @ParameterizedTest
  @CsvSource({"0,0", "2000,2", "50,0.050", "1500,1.500", "123456,123.456"})
  void writesThousandths(long value, String text) {
    TextBuffer out = new TextBuffer();

    out.thousandths(value);

    assertThat(out).hasToString(text);
  }

  @Test
  void growsWithItsText() {
    TextBuffer out = new TextBuffer();

    for (int i = 0; i < 10_000; i++) {
      out.text(TextBuffer.bytes("ab"));
    }

    assertThat(out).hasToString("ab".repeat(10_000));
  }
}
