package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.message.write.ByteSlice;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Resolves UIDs to names. Implementations are thread-safe; each thread uses its own slices.
 *
 * <p>A UID is the unsigned big-endian value of its 1 to 8 bytes.
 */
public interface UidNames extends Serializable, AutoCloseable {

  /**
   * Looks up a name without copying it.
   *
   * @param uid the UID as an unsigned value
   * @param out set to the name's ISO-8859-1 bytes if there is a name, otherwise unchanged; the
   *     bytes never change afterwards
   * @return whether the UID has a name that, as far as known, maps back to it
   * @throws java.io.UncheckedIOException if the outside system with the names failed; the run can
   *     be retried
   */
  boolean lookup(UidKind kind, long uid, ByteSlice out);

  /**
   * Returns the name that {@link #lookup} withholds because the table maps it to another UID or to
   * none. With that name, rows of the UID would be attributed to the other UID.
   *
   * @return ISO-8859-1 as text; null if the UID has no name, or a name that maps back to it
   */
  default @Nullable String foreignName(UidKind kind, long uid) {
    return null;
  }

  /** Releases the resources of this JVM; a no-op by default. */
  @Override
  default void close() {}
}
