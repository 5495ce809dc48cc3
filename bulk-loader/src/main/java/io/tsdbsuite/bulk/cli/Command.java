package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.job.ExitCode;
import io.tsdbsuite.job.cli.ProgramCommand;

/** A command of the loader, its options filled in. */
abstract class Command extends ProgramCommand {
  /**
   * Runs it.
   *
   * @throws io.tsdbsuite.job.JobException when it fails
   */
  abstract ExitCode run(Invocation invocation);
}
