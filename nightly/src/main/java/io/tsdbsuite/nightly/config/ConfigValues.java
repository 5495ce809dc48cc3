package io.tsdbsuite.nightly.config;

import io.tsdbsuite.format.rollup.Duration;
import io.tsdbsuite.job.cli.NativeText;
import io.tsdbsuite.job.cli.Problems;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The values of the file, with all their problems; after a problem a value has no meaning. */
final class ConfigValues {
  /** Names of secrets. Command lines are not secret. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)(sasl\\.jaas\\.config|password|secret[._-]?key|access[._-]?key|session[._-]?token)");

  /** Names of secrets that are harmless words in a value. */
  private static final Pattern SECRET_NAME =
      Pattern.compile("(?i)(secret|token|keystore|account\\.key)");

  /** Such a name before {@code =}, or an option with it; and a password in a URL. */
  private static final Pattern SECRET_WORD =
      Pattern.compile(
          "(?i)[\\w.-]*"
              + SECRET_NAME.pattern().substring("(?i)".length())
              + "[\\w.-]*=|--[\\w.-]*(secret|token)|://[^\\s/?#@]*:[^\\s/?#@]*@");

  private static final Pattern USER_INFO = Pattern.compile("://[^/?#]*@");

  private final Map<String, String> values;
  private final Problems problems;

  ConfigValues(Map<String, String> values, Problems problems) {
    this.values = new TreeMap<>(values);
    this.problems = problems;
    for (String key : this.values.keySet()) {
      if (!Key.isKnown(key)) {
        problems.add("the key " + key + " is unknown");
      }
    }
    // All values are paths or words of command lines. After this problem no path can be made.
    Problems unwritable = new Problems();
    this.values.forEach((key, value) -> NativeText.requireWritable(unwritable, key, value));
    if (!unwritable.isEmpty()) {
      problems.addAll(unwritable.all());
      problems.throwIfAny();
    }
  }

  /** The value, or the default; a problem if neither is there. */
  String text(Key key) {
    String value = values.getOrDefault(key.text(), "").strip();
    if (!value.isEmpty() || key.byDefault().isPresent()) {
      return value.isEmpty() ? key.byDefault().orElse("") : value;
    }
    problems.add(key.text() + " is required");
    return "";
  }

  /** The value; empty if it is not there. */
  String optional(Key key) {
    return values.getOrDefault(key.text(), "").strip();
  }

  /** A URL of HTTP; empty if it is not there. It must have no user name and password. */
  String url(Key key) {
    String value = optional(key);
    if (USER_INFO.matcher(value).find()) {
      problems.add(
          key.text()
              + " must not have a user name or password in its URL: command lines are not secret");
    }
    String url = USER_INFO.matcher(value).replaceFirst("://");
    if (!url.isEmpty() && !url.matches("https?://.+")) {
      problem(key, "must be a URL that begins with http:// or https://", url);
    }
    return url;
  }

  boolean flag(Key key) {
    String value = text(key).toLowerCase(Locale.ROOT);
    if (!value.equals("true") && !value.equals("false")) {
      problem(key, "must be true or false", value);
    }
    return value.equals("true");
  }

  int number(Key key, int least, int most) {
    String value = text(key);
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number outside the limits.
    }
    problem(key, "must be a whole number from " + least + " to " + most, value);
    return least;
  }

  LocalDate date(Key key) {
    String value = text(key);
    try {
      return LocalDate.parse(value);
    } catch (DateTimeException e) {
      if (!value.isEmpty()) {
        problem(key, "must be a date, yyyy-MM-dd", value);
      }
      return LocalDate.EPOCH;
    }
  }

  /** A duration in OpenTSDB's units, which have no zero. */
  java.time.Duration duration(String name, String value) {
    if (value.matches("0[smhdwny]")) {
      return java.time.Duration.ZERO;
    }
    Duration duration = Duration.parse(value);
    if (duration == null) {
      problems.add(name + " must be a number and one of the units s m h d w n y, found: " + value);
      return java.time.Duration.ZERO;
    }
    return java.time.Duration.ofSeconds(duration.seconds());
  }

  <E extends Enum<E>> E choice(Key key, E[] choices) {
    String value = text(key);
    for (E choice : choices) {
      if (choice.name().equalsIgnoreCase(value)) {
        return choice;
      }
    }
    String names = String.join(", ", Arrays.stream(choices).map(one -> lower(one.name())).toList());
    problem(key, "must be one of " + names, value);
    return choices[0];
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** A parsed value; the parser throws IllegalArgumentException with the rule. */
  <T> Optional<T> parsed(Key key, Function<String, T> parser) {
    String value = text(key);
    try {
      return Optional.of(parser.apply(value));
    } catch (IllegalArgumentException e) {
      problem(key, String.valueOf(e.getMessage()), value);
      return Optional.empty();
    }
  }

  /** Words that become part of a command line, without secrets. */
  List<String> words(Key key) {
    String value = text(key);
    if (SECRET.matcher(value).find() || SECRET_WORD.matcher(value).find()) {
      problems.add(
          key.text()
              + " must not hold a password, a key or sasl.jaas.config: command lines are not"
              + " secret");
      return List.of();
    }
    return parsed(key, Words::split).orElse(List.of());
  }

  /** Words of which these options are refused. */
  List<String> words(Key key, Collection<String> refused, String why) {
    List<String> words = words(key);
    for (String word : words) {
      int equals = word.indexOf('=');
      if (refused.contains(equals < 0 ? word : word.substring(0, equals))) {
        problem(key, "must not have this option, " + why, word);
      }
    }
    return words;
  }

  /** The properties whose keys have a prefix, without it. */
  Map<String, String> prefixed(String prefix) {
    Map<String, String> found = new TreeMap<>();
    values.forEach(
        (key, value) -> {
          if (!key.startsWith(prefix)) {
            return;
          }
          String name = key.substring(prefix.length());
          if (SECRET.matcher(name).find() || SECRET_NAME.matcher(name).find()) {
            problems.add(
                key + " must not be here: it becomes part of command lines, use Hadoop's files");
          }
          found.put(name, value.strip());
        });
    return found;
  }

  void problem(Key key, String rule, String value) {
    problems.add(key.text() + " " + rule + ", found: '" + value + "'");
  }
}
