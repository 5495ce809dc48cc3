package io.tsdbsuite.bulk.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** Files of the local file system. Their names begin as the argument does. */
final class LocalFiles {
  private final Path start;
  private final int prefix;
  private final InputFiles.FileSink found;

  private LocalFiles(Path start, int prefix, InputFiles.FileSink found) {
    this.start = start;
    this.prefix = prefix;
    this.found = found;
  }

  /**
   * Finds the files of an argument.
   *
   * @param base where a relative argument begins
   */
  static void find(String argument, Path base, InputFiles.FileSink found) throws IOException {
    try {
      Path given = Path.of(argument);
      Path root = given.getRoot();
      LocalFiles files =
          root == null
              ? new LocalFiles(base, base.resolve("x").toString().length() - 1, found)
              : new LocalFiles(root, 0, found);
      if (Files.exists(base.resolve(given))) {
        files.add(base.resolve(given));
      } else if (InputFiles.isGlob(argument)) {
        for (Path path : files.glob(given)) {
          files.add(path);
        }
      } else {
        found.problem("no such file or directory");
      }
    } catch (InvalidPathException | PatternSyntaxException e) {
      found.problem("no path: " + e.getMessage());
    }
  }

  /** A file that was found before. */
  static InputFile again(String name, long size, long modifiedMillis) {
    return new InputFile(name, size, modifiedMillis, offset -> open(Path.of(name), offset));
  }

  /** The matches of a glob, sorted. */
  private List<Path> glob(Path pattern) throws IOException {
    List<Path> matches = List.of(start);
    for (Path part : pattern) {
      List<Path> next = new ArrayList<>();
      for (Path directory : matches) {
        next.addAll(children(directory, part.toString()));
      }
      matches = next;
    }
    return matches.stream().sorted().toList();
  }

  private static List<Path> children(Path directory, String part) throws IOException {
    if (!InputFiles.isGlob(part)) {
      Path child = directory.resolve(part);
      return Files.exists(child) ? List.of(child) : List.of();
    }
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + part);
    try (Stream<Path> list = Files.list(directory)) {
      return list.map(Path::getFileName)
          .filter(name -> InputFiles.isHidden(part) || !InputFiles.isHidden(name.toString()))
          .filter(matcher::matches)
          .map(directory::resolve)
          .toList();
    }
  }

  private void add(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      file(path);
      return;
    }
    List<Path> children;
    try (Stream<Path> list = Files.list(path)) {
      children = list.sorted().toList();
    }
    for (Path child : children) {
      if (InputFiles.isHidden(child.getFileName().toString())) {
        found.hidden(name(child));
      } else {
        add(child);
      }
    }
  }

  /** A path as the argument would have it. */
  private String name(Path path) {
    return path.toString().substring(prefix);
  }

  private void file(Path path) throws IOException {
    String unreadable = LocaleNames.problem(path.toString());
    if (unreadable != null) {
      found.problem("the name " + unreadable);
    } else if (!Files.isRegularFile(path)) {
      // It would be opened twice: for the detection, and for reading.
      found.problem(
          name(path)
              + " must be a regular file or a directory; pipe others into standard input, -");
    } else if (!Files.isReadable(path)) {
      found.problem(name(path) + " must be readable");
    } else {
      found.file(
          path.toRealPath().toUri().toString(),
          new InputFile(
              name(path),
              Files.size(path),
              Files.getLastModifiedTime(path).toMillis(),
              offset -> open(path, offset)));
    }
  }

  private static InputStream open(Path path, long offset) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    return Channels.newInputStream(channel.position(offset));
  }
}
