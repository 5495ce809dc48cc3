package io.tsdbsuite.format.row;

/**
 * The column of an annotation; its value is JSON.
 *
 * <pre>
 *   | 01 | offset, 2 bytes, seconds      |
 *   | 01 | offset, 4 bytes, milliseconds |
 * </pre>
 *
 * <p>Big-endian, not shifted. Source: docs/storage.md 2.8.
 */
public final class AnnotationColumn {
  private static final byte PREFIX = 0x01;

  private AnnotationColumn() {}

  /** Whether this is the qualifier of an annotation. */
  public static boolean is(byte[] q, int off, int len) {
    return (len == 3 || len == 5) && q[off] == PREFIX;
  }

  /** Start of the annotation, milliseconds from the base time of the row. */
  public static long offsetMillis(byte[] q, int off, int len) {
    return PrefixedOffset.millis(q, off, len);
  }
}
