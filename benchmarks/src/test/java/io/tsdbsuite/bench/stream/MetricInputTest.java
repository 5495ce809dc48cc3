package io.tsdbsuite.bench.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.MessageReader;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.stream.series.SeriesNames;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricInputTest {
  private static final int SERIES = 1000;
  private static final long SECOND = 1_763_510_400L;

  @Test
  void aMessageIsAPointWithTheNamesOfItsKey() throws Exception {
    byte[] message = MetricInput.message(SERIES, SECOND);
    // docs/stream-rollup-deploy.md calculates with 164.
    assertThat(message).hasSizeBetween(162, 165);
    List<Element> elements = new MessageReader().read(message);
    assertThat(elements).hasSize(1);
    MetricElement point = (MetricElement) elements.get(0);
    assertThat(point.timestamp()).isEqualTo(SECOND);
    assertThat(Double.parseDouble(point.value())).isBetween(0.0, 10_500.0);
    Map<String, String> tags = point.tags();
    assertThat(new String(MetricInput.key(SERIES), StandardCharsets.UTF_8))
        .isEqualTo(
            point.metric()
                + "{cluster="
                + tags.get("cluster")
                + ",host="
                + tags.get("host")
                + ",service="
                + tags.get("service")
                + "}")
        .hasSize(76);
    assertThat(new SeriesNames().encode(point.metric(), tags)).hasSize(83);
  }

  @Test
  void seriesDifferInTheirNamesAndMessagesInTheirValues() throws Exception {
    Set<String> keys = new HashSet<>();
    Set<String> values = new HashSet<>();
    for (int i = 0; i < SERIES; i++) {
      keys.add(new String(MetricInput.key(i), StandardCharsets.UTF_8));
      MetricElement point =
          (MetricElement) new MessageReader().read(MetricInput.message(i, SECOND + i)).get(0);
      values.add(point.value());
    }
    assertThat(keys).hasSize(SERIES);
    assertThat(values).hasSizeGreaterThan(SERIES * 9 / 10);
  }
}
