package io.tsdbsuite.job.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.spark.SubmittedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration files of a TSD.
 *
 * @param config opentsdb.conf with overrides; null if it cannot be read
 * @param schema layout of the tables according to {@code config}; null if unknown
 * @param rollups rollup_config.json; null if it cannot be read
 */
public record TsdFiles(
    @Nullable TsdConfig config, @Nullable StorageSchema schema, @Nullable RollupConfig rollups) {

  /**
   * Reads the files.
   *
   * @param overrides values that override keys of opentsdb.conf
   * @param problems receives the problems found
   */
  public static TsdFiles read(
      TsdOptions options, Map<String, String> overrides, Problems problems) {
    return read(options, overrides, null, problems);
  }

  /**
   * Reads the files.
   *
   * @param overrides values that override keys of opentsdb.conf
   * @param fallback the rollup configuration if none is named; null if one is required
   * @param problems receives the problems found
   */
  public static TsdFiles read(
      TsdOptions options,
      Map<String, String> overrides,
      @Nullable RollupConfig fallback,
      Problems problems) {
    TsdConfig config = TsdKeys.config(options.config, overrides, problems);
    StorageSchema schema = TsdKeys.schema(config, problems);
    boolean named = options.rollups != null || schema != null;
    return new TsdFiles(
        config, schema, named ? rollups(options, schema, fallback, problems) : null);
  }

  private static @Nullable RollupConfig rollups(
      TsdOptions options,
      @Nullable StorageSchema schema,
      @Nullable RollupConfig fallback,
      Problems problems) {
    String ofSchema = schema == null ? null : schema.rollupConfig();
    String location = options.rollups != null ? options.rollups : ofSchema;
    if (location == null && fallback != null) {
      return fallback;
    }
    if (location == null) {
      problems.add(
          "a rollup configuration is required: --rollup-config, or tsd.rollups.config in"
              + " --tsd-config");
      return null;
    }
    try {
      return RollupConfig.load(
          location.endsWith(".json")
              ? SubmittedFiles.local(Path.of(location)).toString()
              : location);
    } catch (SchemaException e) {
      problems.addAll("rollup configuration", e.problems());
    } catch (IOException e) {
      problems.unreadable("rollup configuration", location, e);
    }
    return null;
  }
}
