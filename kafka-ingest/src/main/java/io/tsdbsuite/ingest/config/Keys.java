package io.tsdbsuite.ingest.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Settings with a common prefix. Every key must be taken; the rest is unknown.
 *
 * <p>Not the Keys of plugin-metrics: groups have keys of their own, there are lists and obsolete
 * keys, and a key without a value counts as left out. Configurations rely on that.
 */
final class Keys {
  private final String prefix;
  private final TreeMap<String, String> left = new TreeMap<>();
  private final Set<String> known = new TreeSet<>();
  private final List<String> problems;

  Keys(String prefix, List<String> problems) {
    this.prefix = prefix;
    this.problems = problems;
  }

  void add(String key, String value) {
    left.put(key, value.trim());
  }

  /** Removes a key and returns its value; null if it is absent or empty. */
  @Nullable String take(String key) {
    known.add(key);
    String value = left.remove(key);
    return value == null || value.isEmpty() ? null : value;
  }

  /** Removes a key and returns its value: empty if it is set to nothing. */
  String takeOrEmpty(String key, String orElse) {
    known.add(key);
    String value = left.remove(key);
    return value == null ? orElse : value;
  }

  /** Whether a key has a value, or a list of at least one; does not take it. */
  boolean isSet(String key) {
    String value = left.get(key);
    return value != null && !value.replace(",", "").trim().isEmpty();
  }

  List<String> takeList(String key) {
    List<String> list = new ArrayList<>();
    String value = take(key);
    if (value != null) {
      for (String part : value.split(",", -1)) {
        if (!part.trim().isEmpty()) {
          list.add(part.trim());
        }
      }
    }
    return list;
  }

  long takeLong(String key, long min, long max, long orElse) {
    String value = take(key);
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

  int takeInt(String key, int min, int max, int orElse) {
    return (int) takeLong(key, min, max, orElse);
  }

  boolean takeBoolean(String key, boolean orElse) {
    String value = take(key);
    if (value == null || value.equals("true") || value.equals("false")) {
      return value == null ? orElse : value.equals("true");
    }
    problem(key, "must be true or false", value);
    return orElse;
  }

  /** Removes all keys with a prefix; returns them without the prefix. */
  Map<String, String> takeAll(String below) {
    known.add(below + "*");
    return removeBelow(below, left);
  }

  /** Removes all keys with a prefix from settings; returns them without the prefix. */
  static Map<String, String> removeBelow(String below, Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith(below)) {
            all.put(key.substring(below.length()), value);
          }
        });
    settings.keySet().removeIf(key -> key.startsWith(below));
    return all;
  }

  /**
   * Every key that was asked for, set or not, and {@code prefix*}; for the test of the documents.
   */
  Set<String> known() {
    return Collections.unmodifiableSet(known);
  }

  void problem(String key, String rule) {
    problems.add(prefix + key + " " + rule);
  }

  void problem(String key, String rule, String found) {
    problem(key, rule + ", found " + found);
  }

  /** Reports every key that was not taken. */
  void refuseRest(Map<String, String> obsolete) {
    for (String key : left.keySet()) {
      String instead = obsolete.get(key);
      problems.add(
          prefix
              + key
              + (instead == null ? " is not a key of kafka-ingest" : " is obsolete: " + instead));
    }
    left.clear();
  }
}
