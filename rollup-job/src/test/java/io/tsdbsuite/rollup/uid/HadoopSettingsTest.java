package io.tsdbsuite.rollup.uid;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class HadoopSettingsTest {

  @Test
  void carriesEverything() {
    Configuration configuration = new Configuration();
    configuration.set("a.b", "1");
    configuration.set("c", "${a.b}2");
    Configuration copy = HadoopSettings.of(configuration).with("d", "4").toConfiguration();
    assertThat(copy.get("a.b")).isEqualTo("1");
    assertThat(copy.get("c")).isEqualTo("12");
    assertThat(copy.get("d")).isEqualTo("4");
    assertThat(copy.get("io.file.buffer.size"))
        .isNotNull()
        .isEqualTo(configuration.get("io.file.buffer.size"));
  }
}
