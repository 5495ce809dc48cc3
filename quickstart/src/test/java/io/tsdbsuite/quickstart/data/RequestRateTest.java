package io.tsdbsuite.quickstart.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.format.row.Values;
import java.util.HashSet;
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
  void storedBytesHoldTheSameValues() {
    RequestRate rate = new RequestRate(3);
    for (int server = 0; server < 3; server++) {
      for (Number point : rate.hour(server, HOUR)) {
        byte[] stored = RequestRate.stored(server, point);
        long bits = Values.rawBits(stored, 0, stored.length);
        assertThat(Values.toDouble(point instanceof Double, stored.length, bits))
            .isEqualTo(point.doubleValue());
      }
    }
    assertThat(RequestRate.stored(1, rate.hour(1, HOUR).get(0))).hasSize(4);
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
