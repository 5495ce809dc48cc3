package io.tsdbsuite.job.cli;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * For {@code --version} of all programs: the program's name and the version in the manifest of its
 * jar. A second line has the Git commit of the sources, if the build was told it.
 */
public final class ProgramVersion implements IVersionProvider {
  /** The attribute of the manifest with the commit. */
  private static final String COMMIT = "Implementation-Build";

  /** What the build writes without a commit. */
  private static final String UNKNOWN = "unknown";

  @Spec
  @SuppressWarnings("NullAway.Init") // Picocli sets it.
  private CommandSpec spec;

  /** One line, or two with the commit; the first is the program and its version. */
  @Override
  public String[] getVersion() {
    CommandSpec program = spec.root();
    Class<?> command = program.userObject().getClass();
    String first = of(program.name(), command);
    String commit = commit(command);
    return commit == null || commit.equals(UNKNOWN)
        ? new String[] {first}
        : new String[] {first, "commit " + commit};
  }

  /**
   * A program's name and its version.
   *
   * @param inside a class of the program's own, which is in its jar
   */
  public static String of(String program, Class<?> inside) {
    String version = inside.getPackage().getImplementationVersion();
    return program + " " + (version == null ? "(not packaged)" : version);
  }

  private static @Nullable String commit(Class<?> inside) {
    String name = inside.getName();
    URL location = inside.getResource(name.substring(name.lastIndexOf('.') + 1) + ".class");
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
