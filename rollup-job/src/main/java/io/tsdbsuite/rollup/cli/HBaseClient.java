package io.tsdbsuite.rollup.cli;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** How a live HBase is reached. */
final class HBaseClient {
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
    properties.forEach(configuration::set);
    return configuration;
  }
}
