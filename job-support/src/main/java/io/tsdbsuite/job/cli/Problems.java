package io.tsdbsuite.job.cli;

import io.tsdbsuite.hbase.StorageFailures;
import io.tsdbsuite.job.JobException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All problems with the options and their files, one line each; each is listed once. */
public final class Problems {
  private final Set<String> all = new LinkedHashSet<>();

  /** Every problem found so far. */
  public List<String> all() {
    return List.copyOf(all);
  }

  /** Whether none was found so far. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** One line: the option, the rule, the value found. */
  public void add(String problem) {
    all.add(problem);
  }

  /** Problems that were found elsewhere. */
  public void addAll(List<String> problems) {
    all.addAll(problems);
  }

  /** Problems with the object that an option names. */
  public void addAll(String what, List<String> problems) {
    problems.forEach(problem -> add(what + ": " + problem));
  }

  /** An option that must be given; a shell passes an empty value for a variable that is not set. */
  public void require(String option, @Nullable Object value) {
    if (value == null) {
      add(option + " is required");
    } else if (value.toString().isEmpty()) {
      add(option + " must not be empty");
    }
  }

  /** A number that must not be smaller. */
  public void atLeast(String option, long value, long least) {
    if (value < least) {
      add(option + " must be " + least + " or more, found: " + value);
    }
  }

  /** An option that is present but not allowed. */
  public void refuse(String option, @Nullable Object value, String reason) {
    if (value != null) {
      add(option + " " + reason + ", found: " + value);
    }
  }

  /** A file that cannot be read, and why. */
  public void unreadable(String what, Object file, Exception e) {
    String why =
        e instanceof NoSuchFileException ? "there is no such file" : StorageFailures.reason(e);
    add(what + " " + file + " cannot be read: " + why);
  }

  /**
   * A value that may be refused with an IllegalArgumentException whose message is the problem.
   *
   * @return null when it is refused
   */
  public <T> @Nullable T tried(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /**
   * Ends a command whose options have problems.
   *
   * @throws JobException usage, with all, if there are any
   */
  public void throwIfAny() {
    if (!all.isEmpty()) {
      throw JobException.usage(all());
    }
  }

  /** All problems as one message: a list, unless there is one only. */
  public static String text(List<String> problems) {
    String item = System.lineSeparator() + "  - ";
    return problems.size() == 1
        ? problems.get(0)
        : problems.size() + " problems:" + item + String.join(item, problems);
  }
}
