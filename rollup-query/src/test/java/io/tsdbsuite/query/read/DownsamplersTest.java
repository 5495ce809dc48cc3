package io.tsdbsuite.query.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import net.opentsdb.core.DownsamplingSpecification;
import net.opentsdb.core.TSQuery;
import net.opentsdb.core.TSSubQuery;
import org.junit.jupiter.api.Test;

class DownsamplersTest {
  @Test
  void theNarrowestWiderOneComesFirst() {
    assertThat(Downsamplers.wider(new DownsamplingSpecification("6h-avg-zero")))
        .containsExactly("12h-avg-zero", "1d-avg-zero", "7d-avg-zero", "30d-avg-zero");
    assertThat(Downsamplers.wider(new DownsamplingSpecification("45s-max"))).startsWith("1m-max");
    assertThat(Downsamplers.wider(new DownsamplingSpecification("0all-max"))).isEmpty();
  }

  @Test
  void theWidestNarrowerOneComesFirst() {
    assertThat(Downsamplers.narrower(new DownsamplingSpecification("15m-p99-zero")))
        .containsExactly("10m-p99-zero", "5m-p99-zero", "1m-p99-zero");
    assertThat(Downsamplers.narrower(new DownsamplingSpecification("0all-p99"))).isEmpty();
  }

  /** Days of UTC would begin elsewhere, and may need other rollups. */
  @Test
  void calendarAndTimeZoneStay() {
    DownsamplingSpecification asked = new DownsamplingSpecification("12hc-avg");
    asked.setTimezone(TimeZone.getTimeZone("Asia/Kolkata"));
    assertThat(Downsamplers.wider(asked)).containsExactly("1dc-avg", "7dc-avg", "30dc-avg");
    for (String text : List.of("1d-avg", "1dc-avg")) {
      DownsamplingSpecification wider = Downsamplers.of(text, query(null, true));
      assertThat(wider.useCalendar()).isTrue();
      assertThat(wider.getTimezone()).isEqualTo(asked.getTimezone());
      assertThat(wider.getInterval()).isEqualTo(86_400_000);
      assertThat(Downsamplers.of(text, query(null, false)).useCalendar())
          .isEqualTo(text.contains("c"));
    }
  }

  @Test
  void aReplacedOneIsAsIfItHadBeenAskedFor() {
    for (boolean calendar : new boolean[] {false, true}) {
      TSQuery query = query(null, calendar);
      Downsamplers.replace(query, 0, "1d-sum");
      assertThat(query.getQueries().get(0))
          .isEqualTo(query("1d-sum", calendar).getQueries().get(0));
      DownsamplingSpecification replaced = query.getQueries().get(0).downsamplingSpecification();
      DownsamplingSpecification asked =
          query("1d-sum", calendar).getQueries().get(0).downsamplingSpecification();
      assertThat(replaced.getTimezone()).isEqualTo(asked.getTimezone());
      assertThat(replaced.getTimezone().getID()).isEqualTo("Asia/Kolkata");
      assertThat(replaced.useCalendar()).isEqualTo(asked.useCalendar()).isEqualTo(calendar);
      assertThat(replaced.getInterval()).isEqualTo(86_400_000);
    }
  }

  private static TSQuery query(String downsample, boolean calendar) {
    TSSubQuery sub = new TSSubQuery();
    sub.setAggregator("sum");
    sub.setMetric("m");
    sub.setDownsample(downsample);
    TSQuery query = new TSQuery();
    query.setStart("1763510400");
    query.setTimezone("Asia/Kolkata");
    query.setUseCalendar(calendar);
    query.setQueries(new ArrayList<>(List.of(sub)));
    query.validateAndSetQuery();
    return query;
  }
}
