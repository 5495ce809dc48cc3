package io.tsdbsuite.job.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the files of the TSDs; {@link TsdFiles} reads them. */
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
}
