package io.tsdbsuite.rollup.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name the files of the TSDs; {@link TsdFiles} reads them. */
final class TsdOptions {
  @Option(
      names = "--tsd-config",
      paramLabel = "FILE",
      description =
          "The opentsdb.conf of the TSDs: address of HBase, UID widths, salt, duplicate"
              + " rules, rollup_config.json. An option with the name of a key overrides it,"
              + " for example --tsd.storage.salt.width=1; load and verify need the same values"
              + " as the run.")
  @Nullable Path config;

  @Option(
      names = "--rollup-config",
      paramLabel = "FILE",
      description = "rollup_config.json. Default: the file in --tsd-config (tsd.rollups.config).")
  @Nullable String rollups;
}
