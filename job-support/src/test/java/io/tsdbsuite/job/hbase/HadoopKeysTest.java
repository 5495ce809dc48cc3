package io.tsdbsuite.job.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.jupiter.api.Test;

class HadoopKeysTest {
  @Test
  void knowsDefaultsFromSettings() {
    Configuration configuration = HBaseConfiguration.create();
    String key = "hbase.client.operation.timeout";
    assertThat(HadoopKeys.isSet(configuration, key)).isFalse();
    configuration.set(key, "5");
    assertThat(HadoopKeys.isSet(configuration, key)).isTrue();
  }
}
