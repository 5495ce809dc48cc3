package io.tsdbsuite.dist.tree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/** The files that Git has: notes and keys that lie beside them must not be in an archive. */
public final class GitFiles {
  private GitFiles() {}

  /**
   * Whether a file is in Git's index, whatever its content is now. Where the root has no {@code
   * .git}, as in an unpacked archive, every file is.
   *
   * @param root of the source tree
   * @throws IOException when there is a {@code .git} and Git cannot read it
   */
  public static Predicate<Path> of(Path root) throws IOException {
    Path base = root.toAbsolutePath().normalize();
    if (!Files.exists(base.resolve(".git"))) {
      return file -> true;
    }
    Process git =
        new ProcessBuilder("git", "-C", base.toString(), "ls-files", "-z")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (git.waitFor() != 0) {
        throw new IOException("git cannot list the files of " + base + ", see above");
      }
    } catch (InterruptedException e) {
      git.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while git lists the files of " + base, e);
    }
    Set<Path> files = new HashSet<>();
    for (String name : output.split("\0", -1)) {
      files.add(base.resolve(name));
    }
    return file -> files.contains(file.toAbsolutePath().normalize());
  }
}
