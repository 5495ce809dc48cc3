package io.tsdbsuite.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PrometheusStatsTest {
  private final PrometheusStats stats =
      new PrometheusStats(
          new MetricCatalog(
              "kafka-ingest.",
              MetricDescription.counter("points.stored", "Points stored."),
              MetricDescription.gauge("lag", "messages", "Messages to read."),
              MetricDescription.gauge("ready", "1 or 0.")));

  private String text() {
    return new String(stats.text(), StandardCharsets.UTF_8);
  }

  @Test
  void countersAndGauges() {
    stats.addExtraTag("group", "a\"\\b");
    stats.record("kafka-ingest.points.stored", 5_000_000_000L);
    stats.record("kafka-ingest.lag", -1, "partition=0");
    stats.record("kafka-ingest.lag", 7, "partition=1");
    stats.clearExtraTag("group");
    stats.record("kafka-ingest.ready", 1.9);
    assertThat(text())
        .isEqualTo(
            """
            # HELP kafka_ingest_lag_messages Messages to read.
            # TYPE kafka_ingest_lag_messages gauge
            kafka_ingest_lag_messages{group="a\\"\\\\b",partition="0"} -1.0
            kafka_ingest_lag_messages{group="a\\"\\\\b",partition="1"} 7.0
            # HELP kafka_ingest_points_stored_total Points stored.
            # TYPE kafka_ingest_points_stored_total counter
            kafka_ingest_points_stored_total{group="a\\"\\\\b"} 5.0E9
            # HELP kafka_ingest_ready 1 or 0.
            # TYPE kafka_ingest_ready gauge
            kafka_ingest_ready 1.0
            """);
  }

  /** The label instance is Prometheus's own. */
  @Test
  void tagsThatAllStatisticsHave() {
    stats.addHostTag(true);
    stats.record("kafka-ingest.ready", 1);
    assertThat(text()).contains("kafka_ingest_ready 1.0\n");
  }

  @Test
  void aStatisticThatTheCatalogLacks() {
    stats.record("kafka-ingest.new-one.x", 3, "a-b=c");
    assertThat(text())
        .isEqualTo(
            """
            # TYPE kafka_ingest_new_one_x untyped
            kafka_ingest_new_one_x{a_b="c"} 3.0
            """);
  }
}
