package io.tsdbsuite.synthetic.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecimalWriterTest {
  private final byte[] out = new byte[DecimalWriter.MOST + 3];

  private String text(int end) {
    return new String(out, 3, end - 3, StandardCharsets.US_ASCII);
  }

  @Test
  void writesIntegers() {
    long power = 1;
    for (int digits = 1; digits <= 19; digits++) {
      for (long number : new long[] {power - 1, power, power + 1, -power, 1 - power}) {
        assertThat(text(DecimalWriter.integer(number, out, 3))).isEqualTo(String.valueOf(number));
      }
      power *= 10;
    }
    for (long number : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE + 1, -1}) {
      assertThat(text(DecimalWriter.integer(number, out, 3))).isEqualTo(String.valueOf(number));
    }
  }

  @Test
  void writesHundredths() {
    assertThat(text(DecimalWriter.hundredths(1205, out, 3))).isEqualTo("12.05");
    assertThat(text(DecimalWriter.hundredths(0, out, 3))).isEqualTo("0.00");
    assertThat(text(DecimalWriter.hundredths(-5, out, 3))).isEqualTo("-0.05");
    assertThat(text(DecimalWriter.hundredths(-12345, out, 3))).isEqualTo("-123.45");
  }

  @Test
  void writesBinaryFractionsWithAllTheirDigits() {
    assertThat(text(DecimalWriter.binary(0, out, 3))).isEqualTo("0.0");
    assertThat(text(DecimalWriter.binary(1024, out, 3))).isEqualTo("1.0");
    assertThat(text(DecimalWriter.binary(1025, out, 3))).isEqualTo("1.0009765625");
    assertThat(text(DecimalWriter.binary(-512, out, 3))).isEqualTo("-0.5");
    long seed = Seed.VALUE;
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      int number = random.nextInt() >> 8;
      String written = text(DecimalWriter.binary(number, out, 3));
      assertThat(new BigDecimal(written))
          .as("seed %d", seed)
          .isEqualByComparingTo(new BigDecimal(number / 1024.0));
    }
  }
}
