package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import java.io.Serializable;

/**
 * Names of UIDs. Implementations may be used by many threads at once, each with its own slices.
 *
 * <p>A UID is the unsigned big-endian value of its 1 to 8 bytes.
 */
public interface UidNames extends Serializable, AutoCloseable {

  /**
   * Looks up a name without copying it.
   *
   * @param uid the UID as an unsigned value
   * @param out pointed at the name's ISO-8859-1 bytes if there is one, else left as it is; the
   *     bytes never change afterwards
   * @return whether the UID has a name, which is its own as far as that is known
   * @throws java.io.UncheckedIOException if an outside system that holds the names failed; the run
   *     can be repeated
   */
  boolean lookup(UidKind kind, long uid, ByteSlice out);

  /**
   * The name of a UID that {@link #lookup} does not give, because by the table the name is another
   * UID's, or none's: rows of the UID would be taken for those of the other one.
   *
   * @return ISO-8859-1 as text; null when the UID has no name at all, or has one of its own
   */
  default String foreignName(UidKind kind, long uid) {
    return null;
  }

  /** Releases what this JVM holds; does nothing by default. */
  @Override
  default void close() {}

  /**
   * Reads a UID.
   *
   * @param width number of bytes, 1 to 8
   * @return the unsigned big-endian value
   */
  static long uid(byte[] bytes, int offset, int width) {
    long uid = 0;
    for (int i = offset, end = offset + width; i < end; i++) {
      uid = uid << 8 | (bytes[i] & 0xff);
    }
    return uid;
  }
}
