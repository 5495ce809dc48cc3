package io.tsdbsuite.bulk.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackedPointsTest {
  private static byte[] point(String value) {
    byte[] packed = new byte[PackedPoints.MAX_LENGTH + PackedPoints.PADDING];
    if (value.contains(".")) {
      long bits = Double.doubleToRawLongBits(Double.parseDouble(value));
      PackedPoints.write(packed, 0, Qualifier.secondsBits(7, Qualifier.flags(true, 8)), 2, bits, 8);
    } else {
      long number = Long.parseLong(value);
      int length = Values.integerLength(number);
      int qualifier = Qualifier.millisBits(7001, Qualifier.flags(false, length));
      PackedPoints.write(packed, 0, qualifier, 4, number << (64 - 8 * length), length);
    }
    return packed;
  }

  @ParameterizedTest
  @CsvSource({
    "1, 2, -1",
    "-1, 1, -1",
    "-9223372036854775808, 9223372036854775807, -1",
    "1, 1.0, 0",
    "1.0, 1, 0",
    "0, -0.0, 1",
    "-0.0, 0.0, -1",
    "0.0, 0, 0",
    "9007199254740993, 9007199254740992.0, 1",
    "9007199254740992.0, 9007199254740993, -1",
    "9223372036854775807, 9223372036854775808.0, -1",
    "9223372036854775808.0, 9223372036854775807, 1",
    "-9223372036854775808, -9223372036854775808.0, 0",
    "300, -1.5, 1",
  })
  void numbersAreComparedExactly(String a, String b, int order) {
    assertThat(Integer.signum(PackedPoints.compareValues(point(a), 0, point(b), 0)))
        .isEqualTo(order);
    assertThat(Integer.signum(PackedPoints.compareValues(point(b), 0, point(a), 0)))
        .isEqualTo(-order);
  }

  @Test
  void aPointIsReadAsItWasWritten() {
    byte[] seconds = point("2.5");
    byte[] millis = point("-300");

    assertThat(PackedPoints.length(seconds, 0)).isEqualTo(10);
    assertThat(PackedPoints.offsetMillis(seconds, 0)).isEqualTo(7000);
    assertThat(PackedPoints.valueText(seconds, 0)).isEqualTo("2.5");
    assertThat(PackedPoints.length(millis, 0)).isEqualTo(6);
    assertThat(PackedPoints.offsetMillis(millis, 0)).isEqualTo(7001);
    assertThat(PackedPoints.valueText(millis, 0)).isEqualTo("-300");
  }

  @Test
  void kindsDiffer() {
    assertThat(PackedPoints.sameValue(point("1"), 0, point("1"), 0)).isTrue();
    assertThat(PackedPoints.sameValue(point("1"), 0, point("1.0"), 0)).isFalse();
    assertThat(PackedPoints.sameValue(point("0.0"), 0, point("-0.0"), 0)).isFalse();
  }
}
