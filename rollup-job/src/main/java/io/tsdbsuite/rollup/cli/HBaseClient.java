package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The client configuration of a live HBase. */
final class HBaseClient {
  private HBaseClient() {}

  /**
   * Returns the TSD's HBase address as HBase client properties.
   *
   * @param config null if it cannot be read, which is reported separately
   * @param options override the configuration
   * @param problems receives problems of the address
   */
  static Map<String, String> properties(
      @Nullable TsdConfig config, HBaseOptions options, Problems problems) {
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
}
