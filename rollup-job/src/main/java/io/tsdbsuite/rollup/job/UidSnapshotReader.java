package io.tsdbsuite.rollup.job;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.rollup.error.RollupException;
import io.tsdbsuite.rollup.error.StorageFailures;
import io.tsdbsuite.rollup.read.ReadSource;
import io.tsdbsuite.rollup.read.ReadTracker;
import io.tsdbsuite.rollup.read.RegionFiles;
import io.tsdbsuite.rollup.read.RegionRows;
import io.tsdbsuite.rollup.read.UnreadableBlockException;
import io.tsdbsuite.rollup.snapshot.Snapshot;
import io.tsdbsuite.rollup.snapshot.SnapshotRegion;
import io.tsdbsuite.rollup.snapshot.StoreFileResolver;
import io.tsdbsuite.rollup.uid.UidDictionary;
import io.tsdbsuite.rollup.uid.UidWidthException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;

/**
 * Reads the reverse mappings (UID to name) of a snapshot of the UID table: family {@code name}, row
 * the UID, qualifier the kind, value the name (docs/storage.md 4).
 */
final class UidSnapshotReader {
  /** The family of the reverse mappings. */
  static final String FAMILY = "name";

  private final Snapshot snapshot;
  private final StorageSchema schema;
  private final Map<UidKind, byte[]> qualifiers = new EnumMap<>(UidKind.class);

  UidSnapshotReader(Snapshot snapshot, StorageSchema schema) {
    this.snapshot = snapshot;
    this.schema = schema;
    for (UidKind kind : UidKind.values()) {
      qualifiers.put(kind, kind.qualifierBytes());
    }
  }

  /**
   * Reads every name.
   *
   * @throws RollupException usage, when the table's UIDs are not as wide as the schema says; bad
   *     input, when an HFile is corrupt; outside, when storage fails
   */
  UidDictionary read() {
    UidDictionary.Builder names =
        new UidDictionary.Builder(schema.metricWidth(), schema.tagkWidth(), schema.tagvWidth());
    StoreFileResolver resolver = new StoreFileResolver(snapshot);
    ReadSource source = new ReadSource(snapshot.conf(), snapshot.fileSystem(), snapshot.family());
    for (SnapshotRegion region : snapshot.regions()) {
      ReadTracker tracker = new ReadTracker();
      try (RegionFiles files = RegionFiles.open(source, resolver.resolve(region), true, tracker);
          RegionRows rows =
              new RegionRows(source, files, region.startKey(), region.endKey(), true)) {
        add(rows, names);
      } catch (UidWidthException e) {
        throw RollupException.usage("UID snapshot '" + snapshot.name() + "': " + e.getMessage(), e);
      } catch (UnreadableBlockException e) {
        throw RollupException.badInput(
            "UID snapshot '"
                + snapshot.name()
                + "': HFile "
                + e.file()
                + ": the block near offset "
                + e.offset()
                + " is corrupt; export it again",
            e);
      } catch (IOException e) {
        throw tracker.hasStorageFailed()
            ? StorageFailures.of("UID snapshot '" + snapshot.name() + "'", e)
            : RollupException.badInput(
                "UID snapshot '" + snapshot.name() + "': " + tracker.describe(e), e);
      }
    }
    return names.build();
  }

  private void add(RegionRows rows, UidDictionary.Builder names) throws IOException {
    List<Cell> cells = new ArrayList<>();
    while (rows.peek() != null) {
      cells.clear();
      rows.next(cells);
      for (Cell cell : cells) {
        UidKind kind = kind(cell);
        if (kind != null) {
          names.add(
              kind,
              cell.getRowArray(),
              cell.getRowOffset(),
              cell.getRowLength(),
              cell.getValueArray(),
              cell.getValueOffset(),
              cell.getValueLength());
        }
      }
    }
  }

  /** Null for the other tenants of the table: UIDMeta objects and plugins' columns. */
  private UidKind kind(Cell cell) {
    byte[] array = cell.getQualifierArray();
    int off = cell.getQualifierOffset();
    int end = off + cell.getQualifierLength();
    for (Map.Entry<UidKind, byte[]> entry : qualifiers.entrySet()) {
      byte[] qualifier = entry.getValue();
      if (Arrays.equals(array, off, end, qualifier, 0, qualifier.length)) {
        return entry.getKey();
      }
    }
    return null;
  }
}
