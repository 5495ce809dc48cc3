package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.job.ExitCode;

/** A command of the loader, its options filled in. */
interface Command {
  /**
   * Runs it.
   *
   * @throws io.tsdbsuite.job.JobException when it fails
   */
  ExitCode run(Invocation invocation);
}
