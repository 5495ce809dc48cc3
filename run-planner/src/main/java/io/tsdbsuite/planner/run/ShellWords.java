package io.tsdbsuite.planner.run;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Words as one line, which a POSIX shell and Spark's parser of options split into the same words:
 * single quotes around a word with other characters than letters, digits and {@code @%_+=:,./-}.
 */
public final class ShellWords {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9@%_+=:,./-]+");

  private ShellWords() {}

  /** The words as one line. */
  public static String join(List<String> words) {
    return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
