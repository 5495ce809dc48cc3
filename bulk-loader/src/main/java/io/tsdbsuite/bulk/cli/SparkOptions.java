package io.tsdbsuite.bulk.cli;

import picocli.CommandLine.Option;

/** What only a load on Spark needs. */
final class SparkOptions {
  @Option(
      names = "--hfile-dir",
      paramLabel = "URI",
      description =
          "Directory of the HFiles on HBase's own file system, where HBase can take them over by"
              + " renaming; elsewhere it copies them. All executors and HBase must reach it.")
  String hfileDir;

  @Option(
      names = "--reject-dir",
      paramLabel = "URI",
      description =
          "Where rejected lines go, one file for each unit of input that has any. Default:"
              + " _rejected/RUN below --hfile-dir.")
  String rejectDir;

  @Option(
      names = "--unit-size",
      paramLabel = "SIZE",
      converter = MemorySize.Converter.class,
      description =
          "Input of one task, as stored: small files together, large plain files of lines in"
              + " slices, other large files whole. Default: a quarter of the share of a core, 16m"
              + " at least, 512m at most.")
  MemorySize unitSize;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the report as JSON there: a path on the driver, or a URI.")
  String report;
}
