package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.uid.HadoopSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** How a live HBase is reached. */
final class HBaseClient {
  /** A restart of a server takes less, HBase's own default is 20 minutes. */
  private static final String OPERATION_MILLIS = "120000";

  private static final List<String> PATIENCE =
      List.of(
          "hbase.client.operation.timeout",
          "hbase.client.meta.operation.timeout",
          // New clients, such as that of a bulk load, ask ZooKeeper first: 10 s by default.
          "zookeeper.registry.async.get.timeout");

  private HBaseClient() {}

  /**
   * Where the TSD finds its HBase, in HBase's own keys.
   *
   * @param config null if it cannot be read, which is a problem of its own
   * @param options win
   * @param problems receives what is wrong with the address
   */
  static Map<String, String> properties(TsdConfig config, HBaseOptions options, Problems problems) {
    Map<String, String> properties = new LinkedHashMap<>();
    if (config != null) {
      try {
        properties.putAll(HBaseAddress.from(config).hbaseProperties());
      } catch (SchemaException e) {
        problems.addAll("--tsd-config", e.problems());
      }
    }
    properties.putAll(options.properties);
    return properties;
  }

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
