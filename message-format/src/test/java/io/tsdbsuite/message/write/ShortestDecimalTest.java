package io.tsdbsuite.message.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.tsdbsuite.testkit.seed.Seed;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Texts of doubles, against those of Jackson. */
class ShortestDecimalTest {
  private static final int FRACTION_BITS = 52;
  private static final int EXPONENTS = 0x7ff;

  private final Random random = Seed.random();
  private final byte[] text = new byte[ShortestDecimal.MAX_LENGTH + 1];

  @Test
  void doublesAboutEachPowerOfTwo() {
    for (long exponent = 0; exponent < EXPONENTS; exponent++) {
      for (int distance = -3; distance <= 3; distance++) {
        requireSame(Double.longBitsToDouble((exponent << FRACTION_BITS) + distance));
      }
    }
  }

  @Test
  void doublesAboutEachPowerOfTen() {
    for (int exponent = -324; exponent <= 308; exponent++) {
      for (int digit = 1; digit <= 9; digit++) {
        double value = Double.parseDouble(digit + "E" + exponent);
        requireSame(value);
        requireSame(Math.nextUp(value));
        requireSame(Math.nextDown(value));
      }
    }
  }

  @Test
  void subnormalsOfFewUnits() {
    for (long units = 0; units < 3000; units++) {
      requireSame(Double.longBitsToDouble(units));
    }
  }

  @Test
  void anyDoubles() {
    for (int i = 0; i < 200_000; i++) {
      requireSame(Double.longBitsToDouble(random.nextLong()));
      requireSame(random.nextDouble() * 1000);
      requireSame(random.nextFloat());
      requireSame(random.nextInt() / Math.pow(10, random.nextInt(12)));
      requireSame((double) (random.nextLong() >> random.nextInt(Long.SIZE)));
    }
  }

  @Test
  void productsOfJava8() {
    for (int i = 0; i < 100_000; i++) {
      long x = random.nextLong() >> random.nextInt(Long.SIZE);
      long y = i == 0 ? Long.MIN_VALUE : random.nextLong();
      assertThat(ShortestDecimal.plainHigh(x, y))
          .isEqualTo(
              BigInteger.valueOf(x)
                  .multiply(BigInteger.valueOf(y))
                  .shiftRight(Long.SIZE)
                  .longValue());
    }
  }

  private void requireSame(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return;
    }
    int end = ShortestDecimal.write(value, text, 1);
    String found = new String(text, 1, end - 1, StandardCharsets.ISO_8859_1);
    // Without the machinery of an assertion for each of a million values.
    String expected = NumberOutput.toString(value, true);
    if (!found.equals(expected)) {
      assertThat(found).isEqualTo(expected);
    }
  }
}
