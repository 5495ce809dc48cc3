package io.tsdbsuite.message.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.message.Origin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** kafka-ingest's PointNumberTest compares it with the real classes of OpenTSDB. */
@Tag("jackson")
class PointNumberTest {
  private final PointNumber number = new PointNumber();

  @ParameterizedTest
  @CsvSource({
    "0, 1, 0, 0",
    "-1, 1, ff, -1",
    "+127, 1, 7f, 127",
    "128, 2, 80, 128",
    "-32768, 2, 8000, -32768",
    "32768, 4, 8000, 32768",
    "-2147483649, 8, ffffffff7fffffff, -2147483649",
    "9223372036854775807, 8, 7fffffffffffffff, 9223372036854775807",
    "-9223372036854775808, 8, 8000000000000000, -9223372036854775808",
    "0000000000000000005, 1, 5, 5"
  })
  void anIntegerHasTheSmallestWidth(String text, int length, String bits, long value)
      throws BadMessageException {
    number.parse(text, null);
    assertThat(number.isFloat()).isFalse();
    assertThat(number.valueLength()).isEqualTo(length);
    assertThat(number.rawBits()).isEqualTo(Long.parseUnsignedLong(bits, 16));
    assertThat(number.longValue()).isEqualTo(value);
    assertThat(number.doubleValue()).isEqualTo((double) value);
  }

  @Test
  void aFloatHasFourBytesIfTheseHoldItAndItDidNotComeOverHttp() throws BadMessageException {
    for (Origin origin : new Origin[] {null, Origin.TELNET, Origin.HTTP}) {
      boolean http = origin == Origin.HTTP;
      number.parse("1.5", origin);
      assertThat(number.isFloat()).isTrue();
      assertThat(number.valueLength()).isEqualTo(http ? 8 : 4);
      assertThat(number.rawBits())
          .isEqualTo(http ? Double.doubleToRawLongBits(1.5) : Float.floatToRawIntBits(1.5f));
      number.parse("-0.0", origin);
      assertThat(number.rawBits()).isEqualTo(http ? 1L << 63 : 1L << 31);
      assertThat(Double.doubleToRawLongBits(number.doubleValue())).isEqualTo(1L << 63);
      number.parse("0.1", origin);
      assertThat(number.valueLength()).isEqualTo(8);
      assertThat(number.doubleValue()).isEqualTo(0.1);
      number.parse("1e300", origin);
      assertThat(number.valueLength()).isEqualTo(8);
      assertThatThrownBy(number::longValue).isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+",
        "NaN",
        "Infinity",
        "1 ",
        "--1",
        "0x10",
        "\u0661",
        "9223372036854775808",
        "-9223372036854775809",
        "00000000000000000005",
        "1e999",
        "-1e999",
        "1.x",
        ".",
        "e"
      })
  void anythingElseIsABadValueAndChangesNothing(String text) throws BadMessageException {
    number.parse("7", null);
    BadMessageException e =
        catchThrowableOfType(BadMessageException.class, () -> number.parse(text, null));
    assertThat(e.reason()).isEqualTo(Reason.BAD_VALUE);
    assertThat(e).hasMessageContaining("value must be a").hasMessageContaining("found " + text);
    assertThat(number.longValue()).isEqualTo(7);
  }
}
