package io.tsdbsuite.rollup.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that name the files of the TSDs; {@link TsdFiles} reads them. */
final class TsdOptions {
  @Option(
      names = "--tsd-config",
      paramLabel = "FILE",
      description =
          "The opentsdb.conf of the TSDs: where HBase is, UID widths, salt, duplicate rules,"
              + " rollup_config.json. Each key that is read can be overridden by an option of its"
              + " name, for example --tsd.storage.salt.width=1; load and verify need the same as"
              + " the run.")
  Path config;

  @Option(
      names = "--rollup-config",
      paramLabel = "FILE",
      description =
          "rollup_config.json. Default: the one that --tsd-config names (tsd.rollups.config).")
  String rollups;
}
