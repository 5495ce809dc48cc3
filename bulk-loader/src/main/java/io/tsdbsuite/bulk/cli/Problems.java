package io.tsdbsuite.bulk.cli;

import io.tsdbsuite.job.JobException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All problems of a command line, found before anything is read or written. */
final class Problems {
  private final Set<String> found = new LinkedHashSet<>();

  /** One line: the option, the rule, the value found. */
  void add(String problem) {
    found.add(problem);
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

  boolean isEmpty() {
    return found.isEmpty();
  }

  List<String> all() {
    return List.copyOf(found);
  }

  /**
   * @throws JobException usage, with all, if there are any
   */
  void throwIfAny() {
    if (!found.isEmpty()) {
      throw JobException.usage(all());
    }
  }
}
