package io.tsdbsuite.bulk.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a load on Spark. */
final class SparkOptions {
  @Option(
      names = "--hfile-dir",
      paramLabel = "URI",
      description =
          "Directory of the HFiles, on HBase's own file system: there the bulk load renames them,"
              + " elsewhere HBase copies them. All executors and HBase must reach it.")
  @Nullable String hfileDir;

  @Option(
      names = "--reject-dir",
      paramLabel = "URI",
      description =
          "Directory of rejected lines, one file for each unit of input that has any. Default:"
              + " _rejected/RUN below --hfile-dir.")
  @Nullable String rejectDir;

  @Option(
      names = "--unit-size",
      paramLabel = "SIZE",
      converter = MemorySize.Converter.class,
      description =
          "Stored size of the input of one task: small files together, large plain files of lines"
              + " in slices, other large files whole. Default: a quarter of the input per core, at"
              + " least 16m, at most 512m.")
  @Nullable MemorySize unitSize;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the JSON report to this file: a path on the driver, or a URI.")
  @Nullable String report;
}
