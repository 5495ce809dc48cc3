package io.tsdbsuite.quickstart.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PluginReadingTest {
  @Test
  void hasThePiecesOfTheFirstSubQuery() {
    PluginReading reading = PluginReading.of("0: 1d:364 1h:20 raw:3600s", 9);

    assertThat(reading).isEqualTo(new PluginReading("1d:364 1h:20 raw:3600s", 9));
    assertThat(reading.isRaw()).isFalse();
  }

  @Test
  void knowsRawDataThatThePluginDoesNotCount() {
    assertThat(PluginReading.of("0: raw (no rollups are proven to be stored)", 0).isRaw()).isTrue();
    assertThat(PluginReading.of("0: raw:3600s", 9).isRaw()).isFalse();
  }

  @Test
  void anAnswerWithoutNoteIsNotOfThePlugin() {
    assertThatThrownBy(() -> PluginReading.of("", 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("must tell what it has read");
  }
}
