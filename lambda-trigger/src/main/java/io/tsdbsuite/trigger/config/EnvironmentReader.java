package io.tsdbsuite.trigger.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads environment variables and collects all their problems. */
final class EnvironmentReader {
  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();

  EnvironmentReader(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The value without surrounding white space; empty when the variable is not set. */
  String text(String name) {
    return environment.getOrDefault(name, "").strip();
  }

  /** The value; empty after a problem, when the variable is not set. */
  String required(String name) {
    String value = text(name);
    if (value.isEmpty()) {
      problems.add(name + " must be set");
    }
    return value;
  }

  /** The value; a problem when it is not set or does not match, as {@code rule} explains. */
  String matching(String name, Pattern form, String rule) {
    String value = required(name);
    if (!value.isEmpty() && !form.matcher(value).matches()) {
      problem(name, rule, value);
    }
    return value;
  }

  /**
   * The parsed value.
   *
   * @param parser throws IllegalArgumentException with the rule that the value breaks
   * @return empty after a problem: the variable is not set, or its value is wrong
   */
  <T> Optional<T> parsed(String name, Function<String, T> parser) {
    String value = required(name);
    return value.isEmpty() ? Optional.empty() : parsed(name, value, parser);
  }

  /** Parses a given value; otherwise as {@link #parsed(String, Function)}. */
  <T> Optional<T> parsed(String name, String value, Function<String, T> parser) {
    try {
      return Optional.of(parser.apply(value));
    } catch (IllegalArgumentException e) {
      problem(name, String.valueOf(e.getMessage()), value);
      return Optional.empty();
    }
  }

  /** A whole number; the default when the variable is not set, or after a problem. */
  int number(String name, int minimum, int maximum, int defaultValue) {
    String value = text(name);
    if (value.isEmpty()) {
      return defaultValue;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= minimum && number <= maximum) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number outside the limits.
    }
    problem(name, "must be a whole number from " + minimum + " to " + maximum, value);
    return defaultValue;
  }

  /** Whether the value is {@code on} rather than {@code off}; the default when it is not set. */
  boolean isOn(String name, boolean defaultValue) {
    String value = text(name);
    if (!value.isEmpty() && !value.equals("on") && !value.equals("off")) {
      problem(name, "must be on or off", value);
    }
    return value.isEmpty() ? defaultValue : value.equals("on");
  }

  /** Adds a problem. */
  void problem(String name, String rule, String value) {
    problem(name + " " + rule + ", found: '" + value + "'");
  }

  /** Adds a problem as a whole sentence. */
  void problem(String sentence) {
    problems.add(sentence);
  }

  /**
   * A parsed value, after all variables are read.
   *
   * @throws ConfigurationException with all problems, if there are any
   */
  <T> T complete(Optional<T> value) {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
    return value.orElseThrow(() -> new IllegalStateException("no value and no problem"));
  }
}
