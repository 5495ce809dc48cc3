package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.rollup.load.LoadJob;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Checks the options of {@code rollup-job load} and the files that they name, all of them. */
final class LoadOptions {
  private final LoadCommand command;
  private final List<String> problems = new ArrayList<>();
  private final StorageSchema schema;
  private final RollupConfig rollups;
  private final Map<String, String> hbase;

  /**
   * @param overrides values for keys of opentsdb.conf that win over the file's
   */
  LoadOptions(LoadCommand command, Map<String, String> overrides) {
    this.command = command;
    if (command.hfileDir == null) {
      problems.add("--hfile-dir is required");
    }
    if (command.tsd.config == null) {
      problems.add("--tsd-config is required");
    }
    TsdConfig config = config(overrides);
    this.schema = config == null ? null : schema(config);
    this.rollups = schema == null && command.tsd.rollups == null ? null : rollups();
    this.hbase = HBaseClient.properties(config, command.hbase.properties, problems);
  }

  /** What is wrong with them; empty if nothing is. */
  List<String> problems() {
    return problems;
  }

  /**
   * The job, if there are no problems.
   *
   * @param hadoop Hadoop's settings
   */
  LoadJob job(Configuration hadoop, Clock clock) {
    return new LoadJob(
        HBaseClient.configuration(hadoop, hbase), command.hfileDir, schema, rollups, clock);
  }

  private TsdConfig config(Map<String, String> overrides) {
    if (command.tsd.config == null) {
      return null;
    }
    try {
      TsdConfig config = TsdConfig.load(command.tsd.config);
      for (Map.Entry<String, String> override : overrides.entrySet()) {
        config = config.with(override.getKey(), override.getValue());
      }
      return config;
    } catch (IOException | IllegalArgumentException e) {
      problems.add("--tsd-config " + command.tsd.config + " cannot be read: " + why(e));
      return null;
    }
  }

  private StorageSchema schema(TsdConfig config) {
    try {
      return StorageSchema.from(config);
    } catch (SchemaException e) {
      e.problems().forEach(problem -> problems.add("--tsd-config: " + problem));
      return null;
    }
  }

  private RollupConfig rollups() {
    String location = command.tsd.rollups != null ? command.tsd.rollups : schema.rollupConfig();
    if (location == null) {
      problems.add(
          "a rollup configuration is required: --rollup-config, or tsd.rollups.config in"
              + " --tsd-config");
      return null;
    }
    try {
      return RollupConfig.load(location);
    } catch (SchemaException e) {
      e.problems().forEach(problem -> problems.add("rollup configuration: " + problem));
    } catch (IOException e) {
      problems.add("rollup configuration " + location + " cannot be read: " + why(e));
    }
    return null;
  }

  private static String why(Exception e) {
    return e instanceof NoSuchFileException ? "there is no such file" : e.toString();
  }
}
