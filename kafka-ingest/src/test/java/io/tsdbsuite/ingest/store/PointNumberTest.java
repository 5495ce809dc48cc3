package io.tsdbsuite.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tsdbsuite.message.Origin;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.PointNumber;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.Random;
import net.opentsdb.core.Internal;
import net.opentsdb.core.Tags;
import org.junit.jupiter.api.Test;

/** Texts of numbers, as PointNumber and as the classes of OpenTSDB read and store them. */
class PointNumberTest {
  private static final int TEXTS = 200_000;

  private static final String[] PARTS = {
    "",
    "0",
    "00",
    "9",
    "1",
    "-",
    "+",
    ".",
    "e",
    "E",
    "x",
    " ",
    "NaN",
    "Infinity",
    "f",
    "d",
    "128",
    "32768",
    "2147483648",
    "922337203685477580",
    "9223372036854775807",
    "9223372036854775808",
    "0.5",
    "1e3",
    "1e39",
    "1e309",
    "0x1p3",
    "\u0661",
    "\u00e9"
  };

  private final Random random = new Random(Seed.VALUE);
  private final PointNumber number = new PointNumber();

  @Test
  void everyTextIsReadAsTheTsdReadsIt() throws BadMessageException {
    int good = 0;
    for (int i = 0; i < TEXTS; i++) {
      String text = text();
      Origin origin = random.nextBoolean() ? null : Origin.values()[random.nextInt(2)];
      if (Tags.looksLikeInteger(text)) {
        good += checkInteger(text, origin);
      } else {
        good += checkFloat(text, origin);
      }
    }
    // Else the comparison would show little.
    assertThat(good).isBetween(TEXTS / 10, TEXTS - TEXTS / 10);
  }

  private int checkInteger(String text, Origin origin) throws BadMessageException {
    long expected;
    try {
      expected = Tags.parseLong(text);
    } catch (NumberFormatException e) {
      assertBad(text, origin);
      return 0;
    }
    number.parse(text, origin);
    assertThat(number.isFloat()).as(text).isFalse();
    assertThat(number.longValue()).as(text).isEqualTo(expected);
    assertThat(stored()).as(text).isEqualTo(Internal.vleEncodeLong(expected));
    return 1;
  }

  private int checkFloat(String text, Origin origin) throws BadMessageException {
    double expected;
    try {
      expected = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      assertBad(text, origin);
      return 0;
    }
    if (Double.isNaN(expected) || Double.isInfinite(expected)) {
      assertBad(text, origin);
      return 0;
    }
    number.parse(text, origin);
    assertThat(number.isFloat()).as(text).isTrue();
    boolean narrow = (float) expected == expected && origin != Origin.HTTP;
    assertThat(number.valueLength()).as(text).isEqualTo(narrow ? 4 : 8);
    assertThat(number.rawBits())
        .as(text)
        .isEqualTo(
            narrow
                ? Integer.toUnsignedLong(Float.floatToRawIntBits((float) expected))
                : Double.doubleToRawLongBits(expected));
    assertThat(Double.doubleToRawLongBits(number.doubleValue()))
        .as(text)
        .isEqualTo(Double.doubleToRawLongBits(expected));
    return 1;
  }

  private void assertBad(String text, Origin origin) {
    assertThat(catchThrowableOfType(BadMessageException.class, () -> number.parse(text, origin)))
        .as(text)
        .isNotNull();
  }

  private byte[] stored() {
    byte[] bytes = new byte[number.valueLength()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (number.rawBits() >>> (8 * (bytes.length - 1 - i)));
    }
    return bytes;
  }

  private String text() {
    switch (random.nextInt(5)) {
      case 0:
        return Long.toString(random.nextLong() >> random.nextInt(64));
      case 1:
        return Double.toString(Double.longBitsToDouble(random.nextLong()));
      case 2:
        return Float.toString(random.nextFloat());
      default:
        StringBuilder text = new StringBuilder();
        for (int parts = random.nextInt(4); parts >= 0; parts--) {
          text.append(PARTS[random.nextInt(PARTS.length)]);
        }
        return text.toString();
    }
  }
}
