package io.tsdbsuite.bench.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** The checkpoints of a job below one directory. */
record Checkpoints(Path dir) {
  private static final String METADATA = "_metadata";

  /** The newest complete checkpoint; Flink writes its metadata last. */
  Optional<Path> newest() throws IOException {
    return completed().max(Comparator.comparing(Checkpoints::modified));
  }

  private Stream<Path> completed() throws IOException {
    if (!Files.exists(dir)) {
      return Stream.empty();
    }
    // Directories of a job, its checkpoints, their files.
    try (Stream<Path> files = Files.walk(dir, 3)) {
      return files.filter(file -> file.endsWith(METADATA)).toList().stream().map(Path::getParent);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        // An older one was removed meanwhile.
        return Stream.empty();
      }
      throw e;
    }
  }

  private static FileTime modified(Path checkpoint) {
    try {
      return Files.getLastModifiedTime(checkpoint.resolve(METADATA));
    } catch (IOException e) {
      return FileTime.fromMillis(0);
    }
  }

  /** Number of a checkpoint, counted from 1 by each job. */
  static int number(Path checkpoint) {
    return Integer.parseInt(checkpoint.getFileName().toString().substring("chk-".length()));
  }

  /** Size of all files below a directory, bytes. */
  static long bytes(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(Checkpoints::size).sum();
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      // Compacted or removed meanwhile.
      return 0;
    }
  }
}
