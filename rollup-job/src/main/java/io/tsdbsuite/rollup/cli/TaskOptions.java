package io.tsdbsuite.rollup.cli;

import picocli.CommandLine.Option;

/** The options of the tasks: limits for failures, and the size of partitions. */
final class TaskOptions {
  @Option(
      names = "--max-failed-rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Rows of the data table that may fail. More end the run with exit code 1: rollup-job"
              + " stops at once; verify compares everything first, and what is stored for such rows"
              + " is extra, however many may fail."
              + RollupCommand.DEFAULT)
  long maxFailedRows;

  @Option(
      names = "--max-failed-blocks",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Corrupt blocks of HFiles that may be met, each of which hides any number of rows; a"
              + " block of an index hides those of many blocks. More end the run as above."
              + RollupCommand.DEFAULT)
  long maxFailedBlocks;

  @Option(
      names = "--partition-size",
      paramLabel = "MIB",
      defaultValue = "256",
      description =
          "Compressed MiB in the window that one task reads, about; larger regions are divided."
              + RollupCommand.DEFAULT)
  double partitionMebibytes = 256;
}
