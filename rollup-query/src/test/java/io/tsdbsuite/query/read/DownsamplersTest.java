package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TimeZone;
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

  /** Days of UTC would begin elsewhere, and may need other rollups. */
  @Test
  void calendarAndTimeZoneStay() {
    DownsamplingSpecification asked = new DownsamplingSpecification("12hc-avg");
    asked.setTimezone(TimeZone.getTimeZone("Asia/Kolkata"));
    assertThat(Downsamplers.wider(asked)).containsExactly("1dc-avg", "7dc-avg", "30dc-avg");
    DownsamplingSpecification wider = Downsamplers.of("1dc-avg", asked);
    assertThat(wider.useCalendar()).isTrue();
    assertThat(wider.getTimezone()).isEqualTo(asked.getTimezone());
    assertThat(wider.getInterval()).isEqualTo(86_400_000);
  }
}
