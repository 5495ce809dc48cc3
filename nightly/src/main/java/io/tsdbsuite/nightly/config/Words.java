package io.tsdbsuite.nightly.config;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a line into words as a shell does, without its expansions: at white space, except within
 * single or double quotes.
 */
public final class Words {
  private Words() {}

  /**
   * Splits a line.
   *
   * @throws IllegalArgumentException if a quote does not end
   */
  public static List<String> split(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        inWord = true;
      } else if (Character.isWhitespace(c)) {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
          inWord = false;
        }
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("must end each quote, found an open " + quote);
    }
    if (inWord) {
      words.add(word.toString());
    }
    return List.copyOf(words);
  }
}
