package io.tsdbsuite.rollup.uid;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The source of the names of UIDs, with its settings.
 *
 * @param snapshot name of the snapshot of the UID table; null for another source
 * @param hbaseProperties client properties of the live HBase with the UID table; empty for another
 *     source
 */
public record UidSettings(
    UidSource source, @Nullable String snapshot, Map<String, String> hbaseProperties) {
  /** No names. */
  public static final UidSettings NONE = new UidSettings(UidSource.NONE, null, Map.of());

  /** Names from the snapshot with this name. */
  public static UidSettings ofSnapshot(String snapshot) {
    return new UidSettings(UidSource.SNAPSHOT, snapshot, Map.of());
  }
}
