package io.tsdbsuite.meta.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Settings with one prefix; those that nobody asked for are unknown. */
final class Keys {
  private final String prefix;
  private final TreeMap<String, String> left = new TreeMap<>();
  private final List<String> problems;

  Keys(String prefix, Map<String, String> conf, List<String> problems) {
    this.prefix = prefix;
    this.problems = problems;
    for (Map.Entry<String, String> entry : conf.entrySet()) {
      if (entry.getKey().startsWith(prefix) && entry.getValue() != null) {
        left.put(entry.getKey().substring(prefix.length()), entry.getValue().trim());
      }
    }
  }

  /** An integer; a value that is none, or out of range, is a problem. */
  int takeInt(String key, int min, int max, int orElse) {
    String value = take(key);
    if (value == null) {
      return orElse;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number out of range.
    }
    problem(key, "must be an integer from " + min + " to " + max, value);
    return orElse;
  }

  /** One of some words, in lower case; any other is a problem. */
  String takeWord(String key, String orElse, String... words) {
    String value = take(key);
    if (value == null) {
      return orElse;
    }
    String word = value.toLowerCase(Locale.ROOT);
    if (Arrays.asList(words).contains(word)) {
      return word;
    }
    problem(key, "must be one of " + String.join(", ", words), value);
    return orElse;
  }

  /** Tells every key that is left. */
  void refuseRest() {
    for (String key : left.keySet()) {
      problems.add(prefix + key + " is no key of tsuid-ratelimiter");
    }
    left.clear();
  }

  /** The value, taken out; null if it is not there. A key without a value is a problem. */
  private String take(String key) {
    String value = left.remove(key);
    if (value != null && value.isEmpty()) {
      problems.add(prefix + key + " must have a value, or be left out");
      return null;
    }
    return value;
  }

  private void problem(String key, String rule, String found) {
    problems.add(prefix + key + " " + rule + ", found " + found);
  }
}
