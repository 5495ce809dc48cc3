package io.tsdbsuite.stream.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The checkpoints and savepoints below a directory of this machine. */
final class Checkpoints {
  private Checkpoints() {}

  /** The newest complete one: the directory with the file _metadata. */
  static Optional<Path> newest(Path directory) {
    if (!Files.exists(directory)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(directory, 3)) {
      return files
          .filter(file -> file.getFileName().toString().equals("_metadata"))
          .max(Comparator.comparing(Checkpoints::modified))
          .map(Path::getParent);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (UncheckedIOException e) {
      // A checkpoint was removed meanwhile.
      return Optional.empty();
    }
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
