package io.tsdbsuite.job.cli;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/**
 * A program's name and the version in the manifest of the jar that has the subclass. A second line
 * has the Git commit of the sources, if the build was told it.
 */
public abstract class ProgramVersion implements IVersionProvider {
  /** The attribute of the manifest with the commit. */
  private static final String COMMIT = "Implementation-Build";

  /** What the build writes without a commit. */
  private static final String UNKNOWN = "unknown";

  private final String program;

  /** For a subclass in the program's own package. */
  protected ProgramVersion(String program) {
    this.program = program;
  }

  /** One line, or two with the commit; the first is the program and its version. */
  @Override
  public final String[] getVersion() {
    String version = getClass().getPackage().getImplementationVersion();
    String first = program + " " + (version == null ? "(not packaged)" : version);
    String commit = commit();
    return commit == null || commit.equals(UNKNOWN)
        ? new String[] {first}
        : new String[] {first, "commit " + commit};
  }

  private @Nullable String commit() {
    URL location = getClass().getResource(getClass().getSimpleName() + ".class");
    try {
      if (location != null && location.openConnection() instanceof JarURLConnection jar) {
        Manifest manifest = jar.getManifest();
        return manifest == null ? null : manifest.getMainAttributes().getValue(COMMIT);
      }
      return null;
    } catch (IOException e) {
      return null; // the version has been read from the same manifest; nothing depends on this
    }
  }
}
