package io.tsdbsuite.format.uid;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A row of the UID table and its columns.
 *
 * <pre>
 *   row          column                         value
 *   name         id:metrics | tagk | tagv       UID, exactly its width       FORWARD
 *   UID          name:metrics | tagk | tagv     name                         REVERSE
 *   UID          name:metric_meta | tagk_meta
 *                  | tagv_meta                  JSON                         META
 *   00           id:metrics | tagk | tagv       highest UID assigned,      COUNTER
 *                                                 8 bytes, signed
 * </pre>
 *
 * <p>Names are ISO-8859-1. A name of 3 bytes and a UID of 3 bytes can be the same row; the family
 * distinguishes them. Columns of plugins are {@link Column#OTHER}. Source: docs/storage.md 4.
 */
public final class UidRow {
  /** The kind of a column of the UID table. */
  public enum Column {
    /** Name to UID. */
    FORWARD,
    /** UID to name. */
    REVERSE,
    /** The highest UID assigned. */
    COUNTER,
    /** Metadata of a UID. */
    META,
    /** A column of an unknown kind. */
    OTHER
  }

  /** Family of the forward mapping and of the counters. */
  public static final String ID_FAMILY = "id";

  /** Family of the reverse mapping and of the metadata. */
  public static final String NAME_FAMILY = "name";

  private UidRow() {}

  /** The family of the forward mapping in bytes; a new array for each call. */
  public static byte[] idFamily() {
    return ID_FAMILY.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The family of the reverse mapping in bytes; a new array for each call. */
  public static byte[] nameFamily() {
    return NAME_FAMILY.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The row of the counters: one byte, zero; a new array for each call. */
  public static byte[] counterRow() {
    return new byte[] {0};
  }

  /** The qualifier of a kind's metadata, for example {@code metric_meta}, without an s. */
  public static String metaQualifier(UidKind kind) {
    switch (kind) {
      case METRIC:
        return "metric_meta";
      case TAGK:
        return "tagk_meta";
      case TAGV:
        return "tagv_meta";
    }
    throw new IllegalArgumentException("no such kind: " + kind);
  }

  /** The kind of a column. */
  public static Column column(
      byte[] row,
      int rowOff,
      int rowLen,
      byte[] family,
      int familyOff,
      int familyLen,
      byte[] q,
      int qOff,
      int qLen) {
    boolean id = equal(ID_FAMILY, family, familyOff, familyLen);
    boolean name = !id && equal(NAME_FAMILY, family, familyOff, familyLen);
    if (!id && !name) {
      return Column.OTHER;
    }
    for (UidKind kind : UidKind.values()) {
      if (equal(kind.qualifier(), q, qOff, qLen)) {
        if (name) {
          return Column.REVERSE;
        }
        return rowLen == 1 && row[rowOff] == 0 ? Column.COUNTER : Column.FORWARD;
      }
      if (name && equal(metaQualifier(kind), q, qOff, qLen)) {
        return Column.META;
      }
    }
    return Column.OTHER;
  }

  /** The UID kind of a column, including metadata columns; null for other columns. */
  public static @Nullable UidKind kind(byte[] q, int qOff, int qLen) {
    for (UidKind kind : UidKind.values()) {
      if (equal(kind.qualifier(), q, qOff, qLen) || equal(metaQualifier(kind), q, qOff, qLen)) {
        return kind;
      }
    }
    return null;
  }

  private static boolean equal(String ascii, byte[] bytes, int off, int len) {
    if (ascii.length() != len) {
      return false;
    }
    for (int i = 0; i < len; i++) {
      if (ascii.charAt(i) != (bytes[off + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }
}
