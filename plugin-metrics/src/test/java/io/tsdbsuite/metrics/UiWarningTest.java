package io.tsdbsuite.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UiWarningTest {
  @Test
  void theUiIsOnAsATsdReadsTheKey() {
    assertThat(UiWarning.isOn("true")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "TRUE", "yes", ""})
  void aTsdServesNoUiWithAnyOtherValue(String value) {
    assertThat(UiWarning.isOn(value)).isFalse();
  }
}
