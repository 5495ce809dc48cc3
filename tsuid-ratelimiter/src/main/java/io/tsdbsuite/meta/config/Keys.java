package io.tsdbsuite.meta.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settings with one prefix. Keys that were never asked for are unknown. */
final class Keys {
  private final String prefix;
  private final TreeMap<String, String> left = new TreeMap<>();
  private final TreeMap<String, String> defaults = new TreeMap<>();
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

  /** An integer. A value that is not an integer, or is out of range, is a problem. */
  int takeInt(String key, int min, int max, int orElse) {
    String value = take(key, Integer.toString(orElse));
    if (value == null) {
      return orElse;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    problem(key, "must be an integer from " + min + " to " + max, value);
    return orElse;
  }

  /** One of some words, in any case, returned in lower case. Any other word is a problem. */
  String takeWord(String key, String orElse, String... words) {
    String value = take(key, orElse);
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

  /** The keys that were asked for, without the prefix, with their defaults; sorted. */
  Map<String, String> defaults() {
    return defaults;
  }

  /** Reports every key that was not asked for. */
  void refuseRest() {
    for (String key : left.keySet()) {
      problems.add(prefix + key + " is no key of tsuid-ratelimiter");
    }
    left.clear();
  }

  /** Removes a key: its value, null if it is absent. A key without a value is a problem. */
  private @Nullable String take(String key, String orElse) {
    defaults.put(key, orElse);
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
