package io.tsdbsuite.job.cli;

import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.SuiteConfig;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.schema.TsdConfig;
import io.tsdbsuite.job.spark.SubmittedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the files of the TSDs. */
public final class TsdOptions {
  /** For picocli. */
  public TsdOptions() {}

  /** The opentsdb.conf; required. */
  @Option(
      names = "--tsd-config",
      paramLabel = "FILE",
      description =
          "The opentsdb.conf of the TSDs: address of HBase, UID widths, salt, duplicate"
              + " rules, rollup_config.json. An option with the name of a key overrides it,"
              + " for example --tsd.storage.salt.width=1; all commands need the same values.")
  public @Nullable Path config;

  /** The rollup_config.json; null for that of the opentsdb.conf. */
  @Option(
      names = "--rollup-config",
      paramLabel = "FILE",
      description = "rollup_config.json. Default: the file in --tsd-config (tsd.rollups.config).")
  public @Nullable String rollups;

  /**
   * Reads the files.
   *
   * @param overrides values that override keys of opentsdb.conf
   * @param fallback the rollup configuration if none is named; null if one is required
   * @param problems receives the problems found
   */
  public TsdFiles read(
      Map<String, String> overrides, @Nullable RollupConfig fallback, Problems problems) {
    TsdConfig tsd = TsdKeys.config(config, overrides, problems);
    StorageSchema schema = TsdKeys.schema(tsd, problems);
    boolean named = rollups != null || schema != null;
    RollupConfig rollup = named ? rollups(schema, fallback, problems) : null;
    HistogramCodecs codecs =
        schema != null && rollup != null && rollup.suite().hasHistograms()
            ? codecs(schema, rollup.suite(), problems)
            : HistogramCodecs.NONE;
    return new TsdFiles(tsd, schema, rollup, codecs);
  }

  /** The codecs of histograms, which suite.histograms needs. */
  private static HistogramCodecs codecs(
      StorageSchema schema, SuiteConfig suite, Problems problems) {
    String location = schema.histogramCodecs();
    try {
      return HistogramCodecs.ofRollups(
          schema,
          suite,
          location != null && location.endsWith(".json")
              ? SubmittedFiles.local(Path.of(location)).toString()
              : location,
          problems::add);
    } catch (IOException e) {
      problems.unreadable(StorageSchema.HISTOGRAMS_CONFIG, String.valueOf(location), e);
      return HistogramCodecs.NONE;
    }
  }

  private @Nullable RollupConfig rollups(
      @Nullable StorageSchema schema, @Nullable RollupConfig fallback, Problems problems) {
    String ofSchema = schema == null ? null : schema.rollupConfig();
    String location = rollups != null ? rollups : ofSchema;
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
