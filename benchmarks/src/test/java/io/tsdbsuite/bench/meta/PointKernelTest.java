package io.tsdbsuite.bench.meta;

import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PointKernelTest {
  @ParameterizedTest
  @ValueSource(strings = {"track", "count"})
  void theClassPathHasAllOfThePlugin(String mode) {
    assertThatNoException()
        .isThrownBy(() -> PointKernel.tracker(mode, new int[1]).increment(new byte[Shape.LENGTH]));
  }
}
