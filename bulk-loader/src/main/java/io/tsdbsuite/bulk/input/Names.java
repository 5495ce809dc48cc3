package io.tsdbsuite.bulk.input;

/** Names in paths. */
final class Names {
  private Names() {}

  /** Whether a name is not meant by a directory or a glob: markers, temporary and hidden files. */
  static boolean isHidden(String name) {
    return name.startsWith(".") || name.startsWith("_");
  }

  /** Whether a path has a character that makes it a glob. */
  static boolean isGlob(String path) {
    return path.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }
}
