package io.tsdbsuite.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tsdbsuite.synthetic.text.LineFormat;
import io.tsdbsuite.synthetic.text.LineOrder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SyntheticShapeTest {
  @Test
  void countsItsPoints() {
    SyntheticShape year =
        new SyntheticShape(
            "m", 1, 128, 2, 1000, Shapes.START, Duration.ofDays(365), ValueShape.COUNTER, 0, 1);
    assertThat(year.series()).isEqualTo(128);
    assertThat(year.pointsPerSeries()).isEqualTo(31_536_000L);
    assertThat(year.points()).isEqualTo(4_036_608_000L);
    assertThat(year.inMillis()).isFalse();
    SyntheticShape odd = Shapes.of(ValueShape.GAUGE, 17, Duration.ofMillis(35), 0);
    assertThat(odd.pointsPerSeries()).isEqualTo(3);
    assertThat(odd.inMillis()).isTrue();
    assertThat(Shapes.of(ValueShape.GAUGE, 1000, Duration.ofMillis(1), 1).inMillis()).isTrue();
  }

  @Test
  void saysAllThatIsWrongWithIt() {
    assertThatThrownBy(
            () ->
                new SyntheticShape(
                    "a b",
                    0,
                    0,
                    9,
                    5,
                    Instant.parse("1970-01-01T00:00:00Z"),
                    Duration.ZERO,
                    ValueShape.COUNTER,
                    5,
                    1))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll(
            "found ' ' in 'a b'",
            "metrics must be at least 1, found 0",
            "sensors must be at least 1, found 0",
            "tags must be 1 to 8, found 9",
            "interval must be at least 10 ms",
            "jitter must be 0 or more and less than the interval, found 5 ms",
            "span must be longer than 0, found PT0S",
            "start must be between 1971-01-01T00:00:00Z and 2106-02-07T06:28:16Z");
  }

  @Test
  void endsWithinTimeOnFourBytes() {
    assertThatThrownBy(() -> Shapes.of(ValueShape.COUNTER, 1000, Duration.ofDays(365L * 100), 0))
        .hasMessageContaining("must end before 2106-02-07T06:28:16Z");
  }

  @Test
  void namesItsSeries() {
    SyntheticShape shape =
        new SyntheticShape(
            "plant.temp",
            2,
            300,
            3,
            1000,
            Shapes.START,
            Duration.ofHours(1),
            ValueShape.GAUGE,
            0,
            1);
    SyntheticNames names = new SyntheticNames(shape);
    assertThat(names.metric(0)).isEqualTo("plant.temp1");
    assertThat(names.tags(0))
        .containsExactly("sensor", "s001", "site", "site01", "region", "region1");
    assertThat(names.metric(317)).isEqualTo("plant.temp2");
    assertThat(names.tags(317))
        .containsExactly("sensor", "s018", "site", "site02", "region", "region1");
    assertThat(names.tags(599))
        .containsExactly("sensor", "s300", "site", "site19", "region", "region2");
    assertThat(shape.series()).isEqualTo(600);
  }

  @Test
  void namesOfShapesAreChecked() {
    assertThat(ValueShape.of("gauge-int")).isEqualTo(ValueShape.GAUGE_INT);
    assertThatThrownBy(() -> ValueShape.of("x"))
        .hasMessage(
            "values must be one of counter, gauge-int, gauge, float, mixed, constant, found 'x'");
    assertThatThrownBy(() -> LineFormat.of("csv"))
        .hasMessage("format must be one of opentsdb, json, influx, prometheus, found 'csv'");
    assertThatThrownBy(() -> LineOrder.of("x"))
        .hasMessage("order must be one of series, time, shuffled, found 'x'");
  }
}
