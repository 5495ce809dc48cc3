package io.tsdbsuite.bulk.parse;

/**
 * Characters that divide names in a {@link SeriesText}. A name that has one of them itself has a
 * character for private use in its place.
 *
 * <pre>
 *   blank U+E000    tab U+E001    =  U+E002        in UTF-8 EE 80 80, EE 80 81, EE 80 82
 * </pre>
 */
final class Separators {
  /** Bytes in place of a separator. */
  static final int LENGTH = 3;

  private static final String CHARACTERS = " \t=";
  private static final char FIRST = '\ue000';

  private Separators() {}

  /** Writes the bytes in place of a separator. */
  static void put(byte separator, byte[] b, int off) {
    b[off] = (byte) 0xee;
    b[off + 1] = (byte) 0x80;
    b[off + 2] = (byte) (0x80 + CHARACTERS.indexOf(separator));
  }

  /** A name with its separators. */
  static String restore(String name) {
    String restored = name;
    for (int i = 0; i < CHARACTERS.length(); i++) {
      restored = restored.replace((char) (FIRST + i), CHARACTERS.charAt(i));
    }
    return restored;
  }
}
