package io.tsdbsuite.bulk.input;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names that Java cannot read, because the locale of the process is C or POSIX. */
final class LocaleNames {
  /** What a decoder writes for bytes that its encoding does not have. */
  static final char UNREADABLE = '\ufffd';

  private LocaleNames() {}

  /**
   * The rule that a name breaks; null if it breaks none.
   *
   * @param text the name of a file, as Java has it
   */
  static @Nullable String problem(String text) {
    return problem(text, System.getProperty("sun.jnu.encoding", "UTF-8"));
  }

  /**
   * The same.
   *
   * @param encoding of names in this process, by its locale
   */
  static @Nullable String problem(String text, String encoding) {
    // With UTF-8 the name itself is in another encoding; its file can be opened.
    if (text.indexOf(UNREADABLE) < 0 || encoding.toUpperCase(Locale.ROOT).equals("UTF-8")) {
      return null;
    }
    return "'%s' must be readable in the locale's encoding, found %s; set LC_ALL=C.UTF-8"
        .formatted(text, encoding);
  }
}
