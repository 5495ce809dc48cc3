package io.tsdbsuite.rollup.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HourParserTest {
  private static final long HOUR = 1763578800;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1763578800",
        "2025-11-19T19:00:00Z",
        "2025-11-19T19:00:00",
        "2025-11-19T19:00",
        "2025-11-19T20:00:00+01:00"
      })
  void readsEveryForm(String text) {
    assertThat(HourParser.hour("--from", text)).isEqualTo(HOUR);
  }

  @Test
  void aDateIsItsFirstHour() {
    assertThat(HourParser.hour("--from", "2025-11-19")).isEqualTo(1763510400);
    assertThat(HourParser.day("--day", "2025-11-19")).isEqualTo(1763510400);
  }

  @Test
  void namesTheOptionTheRuleAndTheValue() {
    assertThatThrownBy(() -> HourParser.hour("--from", "2025-11-19T19:30:00Z"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--from must be on the hour, UTC, found: 2025-11-19T19:30:00Z");
    assertThatThrownBy(() -> HourParser.hour("--to", "yesterday"))
        .hasMessageContaining("--to must be ISO-8601")
        .hasMessageContaining("yesterday");
    assertThatThrownBy(() -> HourParser.hour("--to", "1763578800000"))
        .hasMessageContaining("seconds, not milliseconds");
    assertThatThrownBy(() -> HourParser.day("--day", "2025-11-19T00:00"))
        .hasMessageContaining("--day must be a date like");
  }
}
