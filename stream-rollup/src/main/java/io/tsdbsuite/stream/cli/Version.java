package io.tsdbsuite.stream.cli;

import io.tsdbsuite.job.cli.ProgramVersion;

/** For {@code --version}. */
final class Version extends ProgramVersion {
  Version() {
    super("stream-rollup");
  }
}
