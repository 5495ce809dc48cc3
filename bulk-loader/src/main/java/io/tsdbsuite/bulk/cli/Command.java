package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.job.ExitCode;

/** A command of the loader, its options filled in. */
interface Command {
  /**
   * Runs it.
   *
   * @param problems what the parser found wrong already; to be joined by the command's own
   * @throws io.tsdbsuite.job.JobException when it cannot go on
   */
  ExitCode run(Invocation invocation, Problems problems);
}
