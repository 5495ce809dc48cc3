package io.tsdbsuite.quickstart.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.PointBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestRateTest {
  private static final long HOUR = 1763510400;

  @Test
  void sameServerAndHourHaveTheSamePointsInEveryRun() {
    assertThat(new RequestRate(20).hour(7, HOUR)).isEqualTo(new RequestRate(3).hour(7, HOUR));
  }

  @Test
  void serversAndHoursDiffer() {
    RequestRate rate = new RequestRate(3);

    assertThat(rate.hour(0, HOUR))
        .isNotEqualTo(rate.hour(0, HOUR + 3600))
        .isNotEqualTo(rate.hour(3, HOUR));
  }

  @Test
  void aThirdOfTheServersReportsIntegers() {
    RequestRate rate = new RequestRate(3);

    assertThat(rate.hour(0, HOUR)).hasSize(360).allMatch(Long.class::isInstance);
    assertThat(rate.hour(1, HOUR)).hasSize(360).allMatch(Double.class::isInstance);
    assertThat(rate.hour(2, HOUR)).hasSize(360).allMatch(Double.class::isInstance);
  }

  @Test
  void rowsHoldTheSameValues() {
    RequestRate rate = new RequestRate(3);
    PointBuffer row = new PointBuffer();
    for (int server = 0; server < 3; server++) {
      rate.hour(server, HOUR, row);
      List<Number> points = rate.hour(server, HOUR);
      assertThat(row.size()).isEqualTo(points.size());
      for (int i = 0; i < points.size(); i++) {
        assertThat(row.offsetMillis(i)).isEqualTo(i * 10_000);
        assertThat(row.doubleValue(i)).isEqualTo(points.get(i).doubleValue());
      }
    }
    rate.hour(1, HOUR, row);
    assertThat(row.valueLength(0)).isEqualTo(4);
  }

  @Test
  void everyServerHasItsOwnTags() {
    RequestRate rate = new RequestRate(200);
    Set<Map<String, String>> tags = new HashSet<>();
    for (int server = 0; server < 200; server++) {
      tags.add(rate.tags(server));
    }
    assertThat(tags).hasSize(200);
  }

  @Test
  void hoursEndWithTheOneThatHasBegun() {
    assertThat(RequestRate.hours(HOUR, HOUR + 3610)).containsExactly(HOUR, HOUR + 3600);
    assertThat(RequestRate.hours(HOUR, HOUR + 3600)).containsExactly(HOUR);
    assertThat(RequestRate.hours(HOUR, HOUR)).isEmpty();
  }
}
