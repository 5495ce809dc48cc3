package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.job.cli.TsdKeys;
import java.io.IOException;
import java.util.Map;

/**
 * The files that a TSD is configured by.
 *
 * @param config opentsdb.conf with what overrides it; null when it cannot be read
 * @param schema what it says of the tables; null when it is not known
 * @param rollups rollup_config.json; null when it cannot be read
 */
record TsdFiles(TsdConfig config, StorageSchema schema, RollupConfig rollups) {

  /**
   * Reads them.
   *
   * @param overrides values for keys of opentsdb.conf that win over the file's
   * @param problems receives what is wrong with them
   */
  static TsdFiles read(TsdOptions options, Map<String, String> overrides, Problems problems) {
    TsdConfig config = TsdKeys.config(options.config, overrides, problems);
    StorageSchema schema = TsdKeys.schema(config, problems);
    boolean named = options.rollups != null || schema != null;
    return new TsdFiles(config, schema, named ? rollups(options, schema, problems) : null);
  }

  private static RollupConfig rollups(TsdOptions options, StorageSchema schema, Problems problems) {
    String location = options.rollups != null ? options.rollups : schema.rollupConfig();
    if (location == null) {
      problems.add(
          "a rollup configuration is required: --rollup-config, or tsd.rollups.config in"
              + " --tsd-config");
      return null;
    }
    try {
      return RollupConfig.load(location);
    } catch (SchemaException e) {
      problems.addAll("rollup configuration", e.problems());
    } catch (IOException e) {
      problems.unreadable("rollup configuration", location, e);
    }
    return null;
  }
}
