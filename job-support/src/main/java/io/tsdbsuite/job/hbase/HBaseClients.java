package io.tsdbsuite.job.hbase;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** Configuration of clients of a live HBase. */
public final class HBaseClients {
  /** Timeout of the ZooKeeper lookup of HBase, milliseconds; HBase's default is 10 s. */
  public static final String REGISTRY_TIMEOUT = "zookeeper.registry.async.get.timeout";

  /** A restart of a region server takes less; HBase's own default is 20 minutes. */
  private static final String OPERATION_MILLIS = "120000";

  private static final List<String> TIMEOUTS =
      List.of(
          "hbase.client.operation.timeout",
          "hbase.client.meta.operation.timeout",
          // A new client, for example the client of a bulk load, connects to ZooKeeper first.
          REGISTRY_TIMEOUT);

  private HBaseClients() {}

  /**
   * Hadoop's settings, the settings of an hbase-site.xml on the class path, and the given ones;
   * nothing is connected. Operations fail after 120 s unless a time is set.
   *
   * @param hadoop not changed
   * @param properties keys of HBase that win over everything, the address among them
   */
  public static Configuration configuration(Configuration hadoop, Map<String, String> properties) {
    Configuration configuration = new Configuration(hadoop);
    // HBase's defaults come from where HBase's classes do, which under Spark is not Hadoop's place.
    configuration.setClassLoader(HBaseConfiguration.class.getClassLoader());
    HBaseConfiguration.addHbaseResources(configuration);
    // No class is loaded from the cluster, and HBase would create a directory for such classes. An
    // hbase-site.xml of region servers may switch this on for coprocessors; only --hbase-property
    // overrides it here.
    configuration.set("hbase.use.dynamic.jars", "false");
    for (String key : TIMEOUTS) {
      if (!HadoopKeys.isSet(configuration, key)) {
        configuration.set(key, OPERATION_MILLIS);
      }
    }
    properties.forEach(configuration::set);
    return configuration;
  }
}
