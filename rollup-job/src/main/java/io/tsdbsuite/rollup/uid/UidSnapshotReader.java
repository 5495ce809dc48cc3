package io.tsdbsuite.rollup.uid;

import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.format.uid.UidRow;
import io.tsdbsuite.hbase.StorageException;
import io.tsdbsuite.hbase.read.CellVisitor;
import io.tsdbsuite.hbase.read.SnapshotRows;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.job.JobException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads both mappings of a snapshot of the UID table (docs/storage.md 4):
 *
 * <pre>
 *   family  row    qualifier  value
 *   name    UID    kind       name
 *   id      name   kind       UID
 * </pre>
 */
final class UidSnapshotReader {
  private final Snapshot snapshot;
  private final StorageSchema schema;
  private final Map<UidKind, byte[]> qualifiers = new EnumMap<>(UidKind.class);

  /**
   * @param snapshot of {@link UidRow#NAME_FAMILY}
   */
  UidSnapshotReader(Snapshot snapshot, StorageSchema schema) {
    this.snapshot = snapshot;
    this.schema = schema;
    for (UidKind kind : UidKind.values()) {
      qualifiers.put(kind, kind.qualifierBytes());
    }
  }

  /** Receives a mapping: the row key and the value. */
  @FunctionalInterface
  private interface Mapping {
    void add(UidKind kind, byte[] row, int off, int len, byte[] value, int valueOff, int valueLen);
  }

  /**
   * Reads every name, and marks names whose forward mapping leads to another UID.
   *
   * @param forward the same snapshot, of {@link UidRow#ID_FAMILY}
   * @throws JobException as {@link #read()}
   */
  UidDictionary read(Snapshot forward) {
    UidDictionary names = read();
    ForwardMappings mappings = new ForwardMappings(names, schema);
    read(forward, mappings::add);
    return mappings.build();
  }

  /**
   * Reads every name.
   *
   * @throws JobException usage, when the width of the table's UIDs differs from the schema; bad
   *     input, when an HFile is corrupt; outside, when storage fails
   */
  UidDictionary read() {
    UidDictionary.Builder names =
        new UidDictionary.Builder(schema.metricWidth(), schema.tagkWidth(), schema.tagvWidth());
    read(snapshot, names::add);
    return names.build();
  }

  private void read(Snapshot family, Mapping mapping) {
    String what = "UID snapshot '" + snapshot.name() + "'";
    Row row = new Row(mapping);
    try (SnapshotRows rows = new SnapshotRows(what, family, new byte[0], new byte[0])) {
      while (rows.next(row)) {
        row.end(rows.row());
      }
    } catch (UidWidthException e) {
      throw JobException.usage(what + ": " + e.getMessage(), e);
    } catch (StorageException e) {
      throw JobException.of(e);
    }
  }

  /** The mappings of one row, added after its last cell. */
  private final class Row implements CellVisitor {
    private final Mapping mapping;
    private final Map<UidKind, byte[]> values = new EnumMap<>(UidKind.class);

    private Row(Mapping mapping) {
      this.mapping = mapping;
    }

    private void end(byte[] row) {
      values.forEach(
          (kind, value) -> mapping.add(kind, row, 0, row.length, value, 0, value.length));
    }

    @Override
    public void restart() {
      values.clear();
    }

    @Override
    public void cell(byte[] q, int qOff, int qLen, byte[] v, int vOff, int vLen, long timestamp) {
      UidKind kind = kind(q, qOff, qLen);
      if (kind != null) {
        values.put(kind, Arrays.copyOfRange(v, vOff, vOff + vLen));
      }
    }
  }

  /** Null for other contents of the table: UIDMeta objects and plugins' columns. */
  private @Nullable UidKind kind(byte[] array, int off, int len) {
    for (Map.Entry<UidKind, byte[]> entry : qualifiers.entrySet()) {
      byte[] qualifier = entry.getValue();
      if (Arrays.equals(array, off, off + len, qualifier, 0, qualifier.length)) {
        return entry.getKey();
      }
    }
    return null;
  }
}
