package io.tsdbsuite.rollup.cli;

import io.tsdbsuite.job.ExitCode;

/** A command of rollup-job with its options filled in. */
interface Command {
  /**
   * Runs the command if neither its options nor their files have problems; otherwise prints all
   * problems.
   *
   * @throws io.tsdbsuite.job.JobException if the command fails
   */
  ExitCode run(Invocation invocation);
}
