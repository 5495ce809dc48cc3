package io.tsdbsuite.job.cli;

import java.nio.charset.Charset;
import java.util.List;

/**
 * Words of command lines and names of files. The JVM codes them in the character set of the locale,
 * and replaces what that does not have: by U+FFFD when it reads, by {@code ?} when it writes, which
 * in a pattern of metrics fits every character.
 */
public final class NativeText {
  private static final char REPLACED = '\uFFFD';

  /** Those of words for other programs (until Java 17) and of names of files. */
  private static final List<Charset> CHARSETS =
      List.of(Charset.defaultCharset(), Charset.forName(System.getProperty("sun.jnu.encoding")));

  private NativeText() {}

  /**
   * Checks that the JVM could read the words of its command line.
   *
   * @param problems receives each word that it could not read
   */
  public static void requireRead(Problems problems, String... words) {
    for (String word : words) {
      if (word.indexOf(REPLACED) >= 0) {
        problems.add(message("the command line", word));
      }
    }
  }

  /**
   * Checks that the JVM can write a word, in the command line of another program or as the name of
   * a file.
   *
   * @param what where the word is from, for the message
   * @param problems receives the word if it cannot be written
   */
  public static void requireWritable(Problems problems, String what, String word) {
    if (!CHARSETS.stream().allMatch(charset -> charset.newEncoder().canEncode(word))) {
      problems.add(message(what, word));
    }
  }

  private static String message(String what, String word) {
    return ("%s must have only characters of the locale's character set, %s: set LC_ALL to a"
            + " UTF-8 locale such as C.UTF-8, found: '%s'")
        .formatted(what, CHARSETS.get(1), word);
  }
}
