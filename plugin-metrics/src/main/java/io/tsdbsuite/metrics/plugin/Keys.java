package io.tsdbsuite.metrics.plugin;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Settings with one prefix. Keys that were never asked for are unknown. */
public final class Keys {
  private final String plugin;
  private final String prefix;
  private final TreeMap<String, String> left = new TreeMap<>();
  private final TreeMap<String, String> defaults = new TreeMap<>();
  private final List<String> problems;

  /**
   * @param plugin its name
   * @param prefix of its keys
   * @param conf the whole opentsdb.conf
   * @param problems receives one sentence for each problem
   */
  public Keys(String plugin, String prefix, Map<String, String> conf, List<String> problems) {
    this.plugin = plugin;
    this.prefix = prefix;
    this.problems = problems;
    for (Map.Entry<String, String> entry : conf.entrySet()) {
      if (entry.getKey().startsWith(prefix) && entry.getValue() != null) {
        left.put(entry.getKey().substring(prefix.length()), entry.getValue().trim());
      }
    }
  }

  /** One of some words, in any case, returned in lower case. Any other word is a problem. */
  public String takeWord(String key, String orElse, String... words) {
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
  public boolean takeBoolean(String key, boolean orElse) {
    return takeWord(key, Boolean.toString(orElse), "true", "false").equals("true");
  }

  /** An integer. A value that is not an integer, or is out of range, is a problem. */
  public long takeLong(String key, long min, long max, long orElse) {
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

  /** As {@link #takeLong}. */
  public int takeInt(String key, int min, int max, int orElse) {
    return (int) takeLong(key, min, max, orElse);
  }

  /**
   * A text that keeps a rule; the default need not.
   *
   * @param must the rule in words, after the key
   */
  public String takeText(String key, String orElse, Predicate<String> rule, String must) {
    String value = take(key, orElse);
    if (value == null) {
      return orElse;
    }
    if (!rule.test(value)) {
      problem(key, must, value);
    }
    return value;
  }

  /** The keys that were asked for, without the prefix, with their defaults; sorted. */
  public Map<String, String> defaults() {
    return defaults;
  }

  /** Reports every key that was not asked for. */
  public void refuseRest() {
    for (String key : left.keySet()) {
      problems.add(prefix + key + " is no key of " + plugin);
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
