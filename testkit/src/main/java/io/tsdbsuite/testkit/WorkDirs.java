package io.tsdbsuite.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Directories for tests, below the module's target/. */
public final class WorkDirs {
  private WorkDirs() {}

  /**
   * Creates an empty directory; removes the files of a former run. The files of this run stay for
   * inspection.
   *
   * @param name its name, for example the test's
   * @return {@code target/testkit/<name>}, absolute
   */
  public static Path fresh(String name) {
    Path dir = Path.of("target", "testkit", name).toAbsolutePath();
    try {
      if (Files.exists(dir)) {
        delete(dir);
      }
      return Files.createDirectories(dir);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path dir) throws IOException {
    Files.walkFileTree(
        dir,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path left, IOException e) throws IOException {
            if (e != null) {
              throw e;
            }
            Files.delete(left);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
