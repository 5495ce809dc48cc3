package io.tsdbsuite.report.cli;

import io.tsdbsuite.job.cli.ProgramVersion;

/** For {@code --version}. */
final class Version extends ProgramVersion {
  Version() {
    super("series-report");
  }
}
