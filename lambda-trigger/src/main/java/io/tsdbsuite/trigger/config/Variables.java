package io.tsdbsuite.trigger.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads environment variables and collects what is wrong with them. */
final class Variables {
  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();

  Variables(Map<String, String> environment) {
    this.environment = environment;
  }

  /** The value, without white space around it; empty when the variable is not set. */
  String text(String name) {
    return environment.getOrDefault(name, "").strip();
  }

  /** The value, or a problem when there is none. */
  String required(String name) {
    String value = text(name);
    if (value.isEmpty()) {
      problems.add(name + " must be set");
    }
    return value;
  }

  /** The value, or a problem when it is not of the form that {@code rule} describes. */
  String matching(String name, Pattern form, String rule) {
    String value = required(name);
    if (!value.isEmpty() && !form.matcher(value).matches()) {
      problem(name, rule, value);
    }
    return value;
  }

  /**
   * What a parser makes of the value.
   *
   * @param parser throws IllegalArgumentException with the rule that the value breaks
   * @return null when there is none or it is wrong, which is a problem then
   */
  <T> T parsed(String name, Function<String, T> parser) {
    String value = required(name);
    return value.isEmpty() ? null : parsed(name, value, parser);
  }

  /** As {@link #parsed(String, Function)}, of a value that is given. */
  <T> T parsed(String name, String value, Function<String, T> parser) {
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      problem(name, e.getMessage(), value);
      return null;
    }
  }

  /** A whole number; the default when the variable is not set, or is wrong, which is a problem. */
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
      // The same problem as a number outside the limits.
    }
    problem(name, "must be a whole number from " + minimum + " to " + maximum, value);
    return defaultValue;
  }

  /** Whether it is {@code on}, not {@code off}; the default when the variable is not set. */
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

  /** Adds a problem in full. */
  void problem(String sentence) {
    problems.add(sentence);
  }

  /**
   * Ends the reading.
   *
   * @throws ConfigurationException with all problems, if there are any
   */
  void requireNoProblem() {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }
}
