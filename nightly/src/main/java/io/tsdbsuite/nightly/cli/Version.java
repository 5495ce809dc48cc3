package io.tsdbsuite.nightly.cli;

import io.tsdbsuite.job.cli.ProgramVersion;

/** For {@code --version}. */
final class Version extends ProgramVersion {
  Version() {
    super("rollup-nightly");
  }
}
