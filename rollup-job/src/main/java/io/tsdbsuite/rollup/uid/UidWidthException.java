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
  }

  private static String name(UidKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
