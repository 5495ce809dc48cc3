package io.tsdbsuite.rollup.cli;

import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What is wrong with the options and their files: all of it, one line each. */
final class Problems {
  private final List<String> all = new ArrayList<>();

  /** Every problem found so far. */
  List<String> all() {
    return List.copyOf(all);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  void add(String problem) {
    all.add(problem);
  }

  void addAll(List<String> problems) {
    all.addAll(problems);
  }

  /** Problems with what an option names. */
  void addAll(String what, List<String> problems) {
    problems.forEach(problem -> add(what + ": " + problem));
  }

  void require(String option, Object value) {
    if (value == null) {
      add(option + " is required");
    }
  }

  void atLeast(String option, long value, long least) {
    if (value < least) {
      add(option + " must be " + least + " or more, found: " + value);
    }
  }

  /** An option that is given where it must not be. */
  void refuse(String option, Object value, String reason) {
    if (value != null) {
      add(option + " " + reason + ", found: " + value);
    }
  }

  /** A file that cannot be read, and why. */
  void unreadable(String what, Object file, Exception e) {
    String why = e instanceof NoSuchFileException ? "there is no such file" : e.toString();
    add(what + " " + file + " cannot be read: " + why);
  }

  /**
   * A value that may be refused with an IllegalArgumentException whose message is the problem.
   *
   * @return null when it is refused
   */
  <T> T tried(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      add(e.getMessage());
      return null;
    }
  }
}
