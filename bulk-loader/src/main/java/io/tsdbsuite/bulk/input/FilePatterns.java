package io.tsdbsuite.bulk.input;

import java.io.Serializable;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.PatternSyntaxException;

/**
 * Which of the files found are input: {@code --include}, {@code --exclude}. A pattern is a glob for
 * the name of a file, or, with a {@code /}, for its path.
 *
 * @param include files must match one of them, unless there is none
 * @param exclude files must match none of them
 */
public record FilePatterns(List<String> include, List<String> exclude) implements Serializable {
  /** All files. */
  public static final FilePatterns ALL = new FilePatterns(List.of(), List.of());

  /** Copies the lists. */
  public FilePatterns {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /** Checks the syntax of each pattern. */
  public void check(Consumer<String> problems) {
    check("--include", include, problems);
    check("--exclude", exclude, problems);
  }

  private static void check(String option, List<String> patterns, Consumer<String> problems) {
    for (String pattern : patterns) {
      try {
        FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      } catch (PatternSyntaxException e) {
        problems.accept(option + " must be a glob, found: " + pattern + ": " + e.getMessage());
      }
    }
  }

  /**
   * Whether a file is input.
   *
   * @param name path or URI
   */
  boolean accept(String name) {
    Path path = path(name);
    boolean included = include.isEmpty() || matches(include, path);
    return included && !matches(exclude, path);
  }

  /**
   * Checks that each pattern matches a file: one that does not is mistyped.
   *
   * @param names paths or URIs of all files found
   */
  void requireUsed(List<String> names, Consumer<String> problems) {
    requireUsed("--include", include, names, problems);
    requireUsed("--exclude", exclude, names, problems);
  }

  private static void requireUsed(
      String option, List<String> patterns, List<String> names, Consumer<String> problems) {
    for (String pattern : patterns) {
      if (names.stream().noneMatch(name -> matches(List.of(pattern), path(name)))) {
        problems.accept(
            "%s must match a file of --input, found none for %s among %s"
                .formatted(option, pattern, names.size()));
      }
    }
  }

  private static Path path(String name) {
    return name.contains(":/")
        ? Path.of(new org.apache.hadoop.fs.Path(name).toUri().getPath())
        : Path.of(name);
  }

  private static boolean matches(List<String> patterns, Path path) {
    for (String pattern : patterns) {
      Path matched = pattern.contains("/") ? path : path.getFileName();
      if (FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(matched)) {
        return true;
      }
    }
    return false;
  }
}
