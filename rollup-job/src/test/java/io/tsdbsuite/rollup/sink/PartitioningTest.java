package io.tsdbsuite.rollup.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.tsdbsuite.message.write.SeriesKey;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;

class PartitioningTest {
  private final SeriesKey key = new SeriesKey();

  @Test
  void keepsAMetricInItsShard() {
    BitSet used = new BitSet();
    Partitioning partitioning = new Partitioning(12, 3);
    for (int m = 0; m < 200; m++) {
      BitSet ofMetric = new BitSet();
      for (int h = 0; h < 50; h++) {
        ofMetric.set(partition(partitioning, "metric" + m, "h" + h));
      }
      int shard = ofMetric.nextSetBit(0) / 3;
      assertThat(ofMetric.cardinality()).isEqualTo(3);
      assertThat(ofMetric.stream()).allMatch(partition -> partition / 3 == shard);
      used.or(ofMetric);
    }
    assertThat(used.cardinality()).isEqualTo(12);
  }

  @Test
  void followsTheFormulaInAnyOrder() {
    Partitioning partitioning = new Partitioning(11, 2);
    for (int i = 0; i < 500; i++) {
      String metric = "m" + (i * 7919 % 13);
      String host = "h" + i;
      int expected = hash(metric) % (11 / 2) * 2 + hash(metric + "{host=" + host + "}") % 2;
      assertThat(partition(partitioning, metric, host)).isEqualTo(expected).isLessThan(10);
    }
  }

  private int partition(Partitioning partitioning, String metric, String host) {
    key.of(TestPoints.point(metric, host));
    return partitioning.partition(key.toByteArray(), key.metricLength());
  }

  private static int hash(String text) {
    return Utils.toPositive(Utils.murmur2(text.getBytes(StandardCharsets.UTF_8)));
  }
}
