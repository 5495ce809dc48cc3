package io.tsdbsuite.planner.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Options of a program, as on its command line: {@code --name value} or {@code --name=value}.
 *
 * @param words the words of the command line
 */
public record CommandOptions(List<String> words) {
  /** Copies the words. */
  public CommandOptions {
    words = List.copyOf(words);
  }

  /** The first value of an option; empty when the option is not there. */
  public Optional<String> option(String name) {
    return values(name).stream().findFirst();
  }

  /** All values of an option, which may be repeated, in order. */
  public List<String> values(String name) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).startsWith(name + "=")) {
        values.add(words.get(i).substring(name.length() + 1));
      }
      if (words.get(i).equals(name) && i + 1 < words.size()) {
        i++;
        values.add(words.get(i));
      }
    }
    return List.copyOf(values);
  }

  /** Whether an option is there, with or without a value. */
  public boolean has(String name) {
    return words.stream().anyMatch(word -> word.equals(name) || word.startsWith(name + "="));
  }

  /** The keys of opentsdb.conf that options override, {@code --tsd.KEY=VALUE}, with the values. */
  public Map<String, String> tsdKeys() {
    Map<String, String> keys = new LinkedHashMap<>();
    for (String word : words) {
      if (word.startsWith("--tsd.")) {
        String name = word.replaceFirst("=.*", "");
        option(name).ifPresent(value -> keys.put(name.substring("--".length()), value));
      }
    }
    return keys;
  }

  /** The configuration files of the TSD, and the keys that override theirs: {@code --KEY=VALUE}. */
  public List<String> tsd() {
    List<String> options = new ArrayList<>();
    for (String name : List.of("--tsd-config", "--rollup-config")) {
      values(name).forEach(value -> options.addAll(List.of(name, value)));
    }
    tsdKeys().forEach((key, value) -> options.add("--" + key + "=" + value));
    return List.copyOf(options);
  }

  /** The options without one that has no value. */
  public CommandOptions without(String flag) {
    return new CommandOptions(
        words.stream().filter(word -> !word.equals(flag) && !word.startsWith(flag + "=")).toList());
  }
}
