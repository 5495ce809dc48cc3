package io.tsdbsuite.report.select;

import java.util.regex.Pattern;

/** A name with wildcards: {@code *} stands for any characters, {@code ?} for one. */
public final class Glob {
  private final Pattern pattern;

  /** Parses a glob; all other characters are literals. */
  public Glob(String text) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  /** Whether a text contains a wildcard. */
  public static boolean isGlob(String text) {
    return text.indexOf('*') >= 0 || text.indexOf('?') >= 0;
  }

  /** Whether the whole name matches. */
  public boolean matches(String name) {
    return pattern.matcher(name).matches();
  }
}
