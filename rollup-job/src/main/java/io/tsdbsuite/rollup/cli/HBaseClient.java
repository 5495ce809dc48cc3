package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where a live HBase is. */
final class HBaseClient {
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
}
