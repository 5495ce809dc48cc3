package io.tsdbsuite.bulk.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTextTest {
  private final NumberText number = new NumberText();

  private NumberText.Kind read(String token) {
    byte[] bytes = ("7" + token + "9999999999").getBytes(StandardCharsets.UTF_8);
    return number.read(bytes, 1, 1 + token.getBytes(StandardCharsets.UTF_8).length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "7",
        "12",
        "123",
        "1234",
        "12345",
        "123456",
        "1234567",
        "12345678",
        "123456789",
        "9223372036854775807",
        "-9223372036854775808",
        "+9223372036854775807",
        "0000000000000000042",
      })
  void integers(String text) {
    assertThat(read(text)).isEqualTo(NumberText.Kind.INTEGER);
    assertThat(number.integer).isEqualTo(Long.parseLong(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0",
        "-0.0",
        "1.",
        ".5",
        "-.5",
        "+.5",
        "1.5",
        "0.000001",
        "123.456",
        "1234567.",
        "12345.67",
        "123456.789012345",
        "1e3",
        "1E3",
        "1e+3",
        "1e-3",
        "1.e3",
        ".1e1",
        "0e999",
        "1e22",
        "1e23",
        "9007199254740993.0",
        "9007199254740992e22",
        "1e-22",
        "1e-23",
        "4.9e-324",
        "2e-324",
        "1e-999",
        "1.7976931348623157e308",
        "0.1234567890123456789",
        "12345678901234567890.5",
        "0.00000000000000000000000000000000000012345",
        "1e00000000000000000005",
        "00000000000000000000000000000000000001.5",
        "123456789012345678901234567890e-10",
        "2.2250738585072011e-308",
        "6.631236846766476e-316",
      })
  void doubles(String text) {
    assertThat(read(text)).isEqualTo(NumberText.Kind.FLOATING);
    assertThat(number.floating).isEqualTo(Double.parseDouble(text));
  }

  @Test
  void anIntegerWhereAFloatingNumberIsMeant() {
    byte[] bytes = "-0 20000000000000000001         ".getBytes(StandardCharsets.UTF_8);
    assertThat(number.readFloating(bytes, 0, 2)).isEqualTo(NumberText.Kind.FLOATING);
    assertThat(number.floating).isEqualTo(-0.0);
    assertThat(number.readFloating(bytes, 3, 23)).isEqualTo(NumberText.Kind.FLOATING);
    assertThat(number.floating).isEqualTo(2e19);
  }

  @Test
  void randomNumbersAsTheJdkReadsThem() {
    long seed = Seed.VALUE;
    System.out.println("NumberTextTest seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      String text = text(random);
      NumberText.Kind kind = read(text);
      if (kind == NumberText.Kind.INTEGER) {
        assertThat(number.integer).as(text).isEqualTo(Long.parseLong(text));
      } else if (Double.isInfinite(Double.parseDouble(text))) {
        // The largest doubles, rounded up.
        assertThat(kind).as(text).isEqualTo(NumberText.Kind.INFINITE);
      } else {
        assertThat(kind).as(text).isEqualTo(NumberText.Kind.FLOATING);
        assertThat(number.floating).as(text).isEqualTo(Double.parseDouble(text));
      }
    }
  }

  private static String text(Random random) {
    double any = Double.longBitsToDouble(random.nextLong());
    double some = Double.isFinite(any) ? any : 1.5;
    return switch (random.nextInt(7)) {
      case 0 -> Long.toString(random.nextLong() >> random.nextInt(64));
      case 1 -> Double.toString(some);
      case 2 -> Double.toString(random.nextDouble() * 1000);
      case 3 -> rounded(some, 1 + random.nextInt(30));
      case 4 ->
          String.format(Locale.ROOT, "%." + random.nextInt(12) + "f", random.nextGaussian() * 1e4);
      case 5 -> String.format(Locale.ROOT, "%.3e", random.nextGaussian());
      default -> Float.toString(random.nextFloat());
    };
  }

  private static String rounded(double value, int digits) {
    String text = new BigDecimal(value).round(new MathContext(digits)).toString();
    return text.matches("-?[0-9]+") ? text + "." : text;
  }
}
