package io.tsdbsuite.rollup.cli;

import picocli.CommandLine.Option;

/** The options of the tasks: what may fail in them, and how much each reads. */
final class TaskOptions {
  @Option(
      names = "--max-failed-rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Rows of the data table that may fail; a corrupt block of an HFile counts once. More end"
              + " the run with exit code 1: rollup-job stops at once; verify compares everything"
              + " first, and what is stored for such rows is extra, however many may fail."
              + RollupCommand.DEFAULT)
  long maxFailedRows;

  @Option(
      names = "--partition-size",
      paramLabel = "MIB",
      defaultValue = "256",
      description =
          "Compressed MiB in the window that one task reads, about; larger regions are divided."
              + RollupCommand.DEFAULT)
  double partitionMebibytes = 256;
}
