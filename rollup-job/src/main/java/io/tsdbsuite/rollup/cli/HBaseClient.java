package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.rollup.uid.HadoopSettings;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** How a live HBase is reached. */
final class HBaseClient {
  /** An operation lives through the restart of a server, and fails long before HBase's 20 minutes. */
  private static final String OPERATION_MILLIS = "120000";

  private static final List<String> PATIENCE =
      List.of("hbase.client.operation.timeout", "hbase.client.meta.operation.timeout");

  private HBaseClient() {}

  /**
   * Hadoop's settings, HBase's, and those of the address; nothing is connected.
   *
   * @param hadoop not changed
   */
  static Configuration configuration(Configuration hadoop, Map<String, String> properties) {
    Configuration configuration = new Configuration(hadoop);
    // HBase's defaults come from where HBase's classes do, which under Spark is not Hadoop's place.
    configuration.setClassLoader(HBaseConfiguration.class.getClassLoader());
    HBaseConfiguration.addHbaseResources(configuration);
    // No class comes from the cluster, and the directory for such classes would be left behind.
    configuration.set("hbase.use.dynamic.jars", "false");
    for (String key : PATIENCE) {
      if (!HadoopSettings.isSet(configuration, key)) {
        configuration.set(key, OPERATION_MILLIS);
      }
    }
    properties.forEach(configuration::set);
    return configuration;
  }
}
