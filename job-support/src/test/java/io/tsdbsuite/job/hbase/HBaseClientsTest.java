package io.tsdbsuite.job.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class HBaseClientsTest {
  private static final String JARS = "hbase.use.dynamic.jars";
  private static final String TIMEOUT = "hbase.client.operation.timeout";

  @Test
  void noClassComesFromTheClusterUnlessTheUserSaysSo() {
    Configuration site = new Configuration(false);
    site.set(JARS, "true");
    assertThat(HBaseClients.configuration(site, Map.of()).get(JARS)).isEqualTo("false");
    assertThat(HBaseClients.configuration(site, Map.of(JARS, "true")).get(JARS)).isEqualTo("true");
    assertThat(site.get(JARS)).isEqualTo("true");
  }

  @Test
  void timeoutsAreShortUnlessTheyAreSet() {
    Configuration hadoop = new Configuration(false);
    assertThat(HBaseClients.configuration(hadoop, Map.of()).get(TIMEOUT)).isEqualTo("120000");
    hadoop.set(TIMEOUT, "7000");
    assertThat(HBaseClients.configuration(hadoop, Map.of()).get(TIMEOUT)).isEqualTo("7000");
    assertThat(HBaseClients.configuration(hadoop, Map.of(TIMEOUT, "8000")).get(TIMEOUT))
        .isEqualTo("8000");
  }
}
