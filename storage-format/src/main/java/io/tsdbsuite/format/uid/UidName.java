package io.tsdbsuite.format.uid;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Names of metrics, tag keys and tag values. They are stored in ISO-8859-1, one byte for each
 * character. A TSD accepts any letter and stores letters beyond U+00FF as {@code ?}, so that
 * different names share one UID; this class rejects them. Source: docs/storage.md 4.
 */
public final class UidName {
  /** The longest name, bytes: HBase's limit of a row key. */
  public static final int MAX_BYTES = Short.MAX_VALUE;

  private UidName() {}

  /**
   * The bytes of a name.
   *
   * @throws IllegalArgumentException when the name is empty, has a character beyond U+00FF, or has
   *     more than {@link #MAX_BYTES} bytes
   */
  public static byte[] encode(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a name must not be empty");
    }
    if (name.length() > MAX_BYTES) {
      throw new IllegalArgumentException(tooLong(name));
    }
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) > 0xff) {
        throw new IllegalArgumentException(beyondLatin1(name, i));
      }
    }
    return name.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The name of these bytes. */
  public static String decode(byte[] bytes, int off, int len) {
    return new String(bytes, off, len, StandardCharsets.ISO_8859_1);
  }

  /**
   * The rule that the name breaks, of the TSD or of this class; null if the name is valid. A valid
   * name has letters, digits, {@code - _ . /} and the additional characters that the installation
   * allows.
   *
   * @param alsoAllowed value of {@code tsd.core.tag.allow_specialchars}, empty if it is not set
   */
  public static @Nullable String problem(@Nullable String name, String alsoAllowed) {
    if (name == null || name.isEmpty()) {
      return "a name must not be empty";
    }
    if (name.length() > MAX_BYTES) {
      return tooLong(name);
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c > 0xff) {
        return beyondLatin1(name, i);
      }
      if (!isAllowed(c, alsoAllowed)) {
        return String.format(
            "a name must have letters, digits, - _ . / or allowed special characters only,"
                + " found '%s' in '%s'",
            c, name);
      }
    }
    return null;
  }

  /**
   * Whether a valid name may have the character.
   *
   * @param alsoAllowed value of {@code tsd.core.tag.allow_specialchars}, empty if it is not set
   */
  public static boolean isAllowed(char c, String alsoAllowed) {
    return c <= 0xff && (isPlain(c) || alsoAllowed.indexOf(c) >= 0);
  }

  private static boolean isPlain(char c) {
    return (c >= '0' && c <= '9') || "-_./".indexOf(c) >= 0 || Character.isLetter(c);
  }

  private static String tooLong(String name) {
    return String.format(
        "a name must have %s bytes at most, found %s in '%s...'",
        MAX_BYTES, name.length(), name.substring(0, 40));
  }

  private static String beyondLatin1(String name, int i) {
    return String.format(
        "a name must be ISO-8859-1, found U+%s in '%s'",
        String.format("%04X", (int) name.charAt(i)), name);
  }
}
