package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.schema.HBaseAddress;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a live HBase. */
final class HBaseOptions {
  @Option(
      names = "--hbase-property",
      paramLabel = "K=V",
      description =
          "HBase client property for a live HBase: used by --uid-source hbase, --sink"
              + " hfile, --coverage-table, load and coverage. Can be repeated.")
  Map<String, String> properties = new LinkedHashMap<>();

  /** Null before they are read. */
  private @Nullable Map<String, String> client;

  /**
   * Returns the TSD's HBase address as HBase client properties, overridden by the options. Reads
   * them once; the other calls return the same.
   *
   * @param config null if it cannot be read, which is reported separately
   * @param problems receives problems of the address
   */
  Map<String, String> clientProperties(@Nullable TsdConfig config, Problems problems) {
    if (client != null) {
      return client;
    }
    Map<String, String> read = new LinkedHashMap<>();
    if (config != null) {
      try {
        read.putAll(HBaseAddress.from(config).hbaseProperties());
      } catch (SchemaException e) {
        problems.addAll("--tsd-config", e.problems());
      }
    }
    read.putAll(properties);
    client = read;
    return read;
  }
}
