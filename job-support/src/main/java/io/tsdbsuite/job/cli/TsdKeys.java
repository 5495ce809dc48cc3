package io.tsdbsuite.job.cli;

import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.spark.SubmittedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The TSD's opentsdb.conf on a command line: each key that is read is an option too. */
public final class TsdKeys {
  private TsdKeys() {}

  /** Adds a hidden option of its name for each key. */
  public static void addTo(CommandSpec command, List<String> keys) {
    for (String key : keys) {
      command.addOption(
          OptionSpec.builder("--" + key)
              .type(String.class)
              .paramLabel("VALUE")
              .hidden(true)
              .build());
    }
  }

  /** The keys that were given as options, in their order, with the values. */
  public static Map<String, String> given(ParseResult parsed, List<String> keys) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String key : keys) {
      String value = parsed.matchedOptionValue("--" + key, null);
      if (value != null) {
        given.put(key, value);
      }
    }
    return given;
  }

  /**
   * Reads the file of --tsd-config.
   *
   * @param file null when it is not given, which is a problem
   * @param overrides values for keys that win over the file's
   * @param problems receives the problems
   * @return null when it cannot be read
   */
  public static @Nullable TsdConfig config(
      @Nullable Path file, Map<String, String> overrides, Problems problems) {
    problems.require("--tsd-config", file);
    if (file == null) {
      return null;
    }
    try {
      TsdConfig config = TsdConfig.load(SubmittedFiles.local(file));
      for (Map.Entry<String, String> override : overrides.entrySet()) {
        config = config.with(override.getKey(), override.getValue());
      }
      return config;
    } catch (IOException | IllegalArgumentException e) {
      problems.unreadable("--tsd-config", file, e);
      return null;
    }
  }

  /**
   * The storage schema of the configuration.
   *
   * @param config null when it is not known
   * @param problems receives the problems
   * @return null when it is not known
   */
  public static @Nullable StorageSchema schema(@Nullable TsdConfig config, Problems problems) {
    if (config == null) {
      return null;
    }
    try {
      return StorageSchema.from(config);
    } catch (SchemaException e) {
      problems.addAll("--tsd-config", e.problems());
      return null;
    }
  }
}
