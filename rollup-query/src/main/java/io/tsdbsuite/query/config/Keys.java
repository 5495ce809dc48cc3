package io.tsdbsuite.query.config;

import io.tsdbsuite.coverage.CoverageRows;
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

  /** true or false. Any other word is a problem. */
  boolean takeBoolean(String key, boolean orElse) {
    return takeWord(key, Boolean.toString(orElse), "true", "false").equals("true");
  }

  /** An integer. A value that is not an integer, or is out of range, is a problem. */
  long takeLong(String key, long min, long max, long orElse) {
    String value = take(key, Long.toString(orElse));
    if (value == null) {
      return orElse;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    problem(key, "must be an integer from " + min + " to " + max, value);
    return orElse;
  }

  /** The name of an HTTP header; empty if the key is absent. Other text is a problem. */
  String takeHeaderName(String key) {
    String value = take(key, "");
    if (value == null) {
      return "";
    }
    if (!value.matches("[A-Za-z0-9_.-]+")) {
      problem(key, "must be the name of an HTTP header", value);
    }
    return value;
  }

  /** The name of an HBase table, with or without a namespace. Other text is a problem. */
  String takeTable(String key, String orElse) {
    String value = take(key, orElse);
    if (value == null) {
      return orElse;
    }
    if (!CoverageRows.isTableName(value)) {
      problem(key, "must be the name of an HBase table", value);
    }
    return value;
  }

  /** The keys that were asked for, without the prefix, with their defaults; sorted. */
  Map<String, String> defaults() {
    return defaults;
  }

  /** Reports every key that was not asked for. */
  void refuseRest() {
    for (String key : left.keySet()) {
      problems.add(prefix + key + " is no key of rollup-query");
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
