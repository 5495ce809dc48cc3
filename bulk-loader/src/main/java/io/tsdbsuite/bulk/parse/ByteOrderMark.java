package io.tsdbsuite.bulk.parse;

import java.util.Arrays;

/** The byte order mark of UTF-8, which editors of Windows write before a text. */
public final class ByteOrderMark {
  /** Its bytes. */
  static final byte[] UTF_8 = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private ByteOrderMark() {}

  /** Its length, bytes. */
  public static int length() {
    return UTF_8.length;
  }

  /** Its length if it stands at an offset, else 0. */
  public static int length(byte[] b, int off, int end) {
    boolean there =
        end - off >= UTF_8.length
            && Arrays.equals(b, off, off + UTF_8.length, UTF_8, 0, UTF_8.length);
    return there ? UTF_8.length : 0;
  }
}
