package io.tsdbsuite.job.cli;

import picocli.CommandLine.IVersionProvider;

/** A program's name and the version in the manifest of the jar that has the subclass. */
public abstract class ProgramVersion implements IVersionProvider {
  private final String program;

  /** For a subclass in the program's own package. */
  protected ProgramVersion(String program) {
    this.program = program;
  }

  @Override
  public final String[] getVersion() {
    String version = getClass().getPackage().getImplementationVersion();
    return new String[] {program + " " + (version == null ? "(not packaged)" : version)};
  }
}
