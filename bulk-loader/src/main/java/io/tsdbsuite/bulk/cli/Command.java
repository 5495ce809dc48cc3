package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.Problems;

/** A command of the loader, its options filled in. */
interface Command {
  /**
   * Runs it.
   *
   * @param problems problems of the parser; the command adds its own
   * @throws io.tsdbsuite.job.JobException when it fails
   */
  ExitCode run(Invocation invocation, Problems problems);
}
