package io.tsdbsuite.bulk.uid;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.testkit.seed.Seed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UidNumbersTest {
  @Test
  void zeroIsNoUid() {
    assertThat(UidNumbers.random(() -> 0L, 3).take(2)).containsExactly(1, 1);
    assertThat(UidNumbers.random(() -> 0x0200L, 1).take(1)).containsExactly(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7})
  void randomOnesFit(int width) {
    long seed = Seed.VALUE;
    System.out.println("UidNumbersTest seed " + seed);
    long[] numbers = UidNumbers.random(new Random(seed), width).take(10_000);

    long highest = (1L << (8 * width)) - 1;
    assertThat(Arrays.stream(numbers).allMatch(n -> n >= 1 && n <= highest)).isTrue();
    assertThat(Arrays.stream(numbers).max().getAsLong()).isGreaterThan(highest / 2);
  }
}
