package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotLoader;
import java.util.List;
import java.util.Optional;

/**
 * A snapshot of the UID table.
 *
 * @param names of the family of the reverse mappings, UID to name
 * @param forward the same snapshot, of the family of the forward mappings, name to UID; empty when
 *     the table lacks that family
 */
public record UidSnapshot(Snapshot names, Optional<Snapshot> forward) {
  /**
   * Reads the manifest.
   *
   * @throws StorageException as {@link SnapshotLoader#load}
   */
  public static UidSnapshot load(SnapshotLoader loader, String name) {
    List<Snapshot> families = loader.load(name, UidRow.NAME_FAMILY, List.of(UidRow.ID_FAMILY));
    return new UidSnapshot(families.get(0), families.stream().skip(1).findFirst());
  }
}
