package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;

import net.opentsdb.core.DownsamplingSpecification;
import org.junit.jupiter.api.Test;

class DownsamplersTest {
  @Test
  void theNarrowestWiderOneComesFirst() {
    assertThat(Downsamplers.wider(new DownsamplingSpecification("6h-avg-zero")))
        .containsExactly("12h-avg-zero", "1d-avg-zero", "7d-avg-zero", "30d-avg-zero");
    assertThat(Downsamplers.wider(new DownsamplingSpecification("45s-max"))).startsWith("1m-max");
    assertThat(Downsamplers.wider(new DownsamplingSpecification("0all-max"))).isEmpty();
  }
}
