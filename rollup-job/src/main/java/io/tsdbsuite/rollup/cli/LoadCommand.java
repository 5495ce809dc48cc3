package io.tsdbsuite.rollup.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code rollup-job load} as they are written. */
@Command(
    name = "rollup-job load",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Loads the HFiles of a run of rollup-job --sink hfile into HBase.",
    description = {
      "Checks manifest, files, tables and configuration, hands the files to HBase's own bulk load"
          + " tool, and counts their cells in the table. Can be repeated after any end.",
      "",
      "  spark-submit --class io.tsdbsuite.rollup.cli.RollupMain rollup-job.jar load \\",
      "    --hfile-dir hdfs:///rollups/1-20261120T031500Z_0a1b2c --tsd-config opentsdb.conf",
      ""
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:loaded, and every cell was found",
      "1:bad input: a file is missing, damaged or foreign",
      "2:wrong usage or configuration",
      "3:HBase or storage failed; run it again"
    })
final class LoadCommand {
  @Option(
      names = "--hfile-dir",
      paramLabel = "DIR",
      description = "The directory of one run, which has manifest.json.")
  String hfileDir;

  @Option(
      names = "--tsd-config",
      paramLabel = "FILE",
      description =
          "The opentsdb.conf of the TSDs that will read the rollups: where HBase is, UID widths,"
              + " salt, rollup_config.json. Each key that is read can be overridden by an option of"
              + " its name, as it was for the run.")
  Path tsdConfig;

  @Option(
      names = "--rollup-config",
      paramLabel = "FILE",
      description =
          "rollup_config.json. Default: the one that --tsd-config names (tsd.rollups.config).")
  String rollupConfig;

  @Option(
      names = "--hbase-property",
      paramLabel = "K=V",
      description = "HBase client property. Can be repeated.")
  Map<String, String> hbaseProperties = new LinkedHashMap<>();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write the report as JSON there too, also when the load fails: a local file, or a URI"
              + " with its scheme.")
  String report;
}
