package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.cli.Problems;
import io.tsdbsuite.rollup.report.FailureLimits;
import picocli.CommandLine.Option;

/** The options of the tasks: limits for failures, and the size of partitions. */
final class TaskOptions {
  private static final long MEBIBYTE = 1L << 20;

  @Option(
      names = "--max-failed-rows",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Limit of failed rows of the data table. More end the run with exit code 1:"
              + " rollup-job stops at once; verify compares everything first. In verify the"
              + " stored rollups of failed rows always count as extra."
              + RollupCommand.DEFAULT)
  long maxFailedRows;

  @Option(
      names = "--max-failed-blocks",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Limit of corrupt HFile blocks. A block contains any number of rows; an index"
              + " block covers the rows of many blocks. More end the run as above."
              + RollupCommand.DEFAULT)
  long maxFailedBlocks;

  @Option(
      names = "--partition-size",
      paramLabel = "MIB",
      defaultValue = "256",
      description =
          "Approximate limit of compressed MiB in the window for each task; larger regions are"
              + " divided."
              + RollupCommand.DEFAULT)
  double partitionMebibytes = 256;

  /** Reads the limits. */
  FailureLimits read(Problems problems) {
    problems.atLeast("--max-failed-rows", maxFailedRows, 0);
    problems.atLeast("--max-failed-blocks", maxFailedBlocks, 0);
    if (!(partitionMebibytes > 0)) {
      problems.add("--partition-size must be more than 0, found: " + partitionMebibytes);
    }
    return new FailureLimits(maxFailedRows, maxFailedBlocks);
  }

  /** Approximate limit of compressed bytes for each task. */
  long partitionBytes() {
    return Math.max(1, Math.round(partitionMebibytes * MEBIBYTE));
  }
}
