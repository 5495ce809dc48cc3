package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidKind;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The width of a UID in the UID table differs from the schema: the configuration belongs to another
 * TSD.
 */
public final class UidWidthException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final UidKind kind;
  private final int expected;
  private final int found;

  UidWidthException(UidKind kind, int expected, byte[] uid, int offset, int length) {
    super(
        String.format(
            Locale.ROOT,
            "UID table holds the %s UID %s of %d bytes, but the schema says %d bytes"
                + " (tsd.storage.uid.width.%s): the TSD configuration does not belong to this"
                + " table",
            name(kind),
            HexFormat.of().formatHex(uid, offset, offset + length),
            length,
            expected,
            name(kind)));
    this.kind = kind;
    this.expected = expected;
    this.found = length;
  }

  private static String name(UidKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** Kind of the UID. */
  public UidKind kind() {
    return kind;
  }

  /** Width in the schema, in bytes. */
  public int expected() {
    return expected;
  }

  /** Width in the table, in bytes. */
  public int found() {
    return found;
  }
}
