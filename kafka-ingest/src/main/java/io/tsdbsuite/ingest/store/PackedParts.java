package io.tsdbsuite.ingest.store;

import io.tsdbsuite.format.packed.PackedRow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hbase.async.PutRequest;

/** Makes the parts of rows of packed tables: docs/storage.md 7. Reusable, not thread-safe. */
final class PackedParts {
  private final Map<PackedTable, PackedRow[]> rows = new HashMap<>();

  /**
   * The put of one row's parts: one of each kind that has a slot.
   *
   * @param asOf timestamp of the rollups' cells, milliseconds since the epoch
   * @param qualifiers cells of each rollup
   * @param values their values
   * @param gone slots that are taken back
   */
  PutRequest put(
      PackedTable table,
      byte[] key,
      long asOf,
      List<byte[][]> qualifiers,
      List<byte[][]> values,
      List<Integer> gone) {
    PackedRow[] kinds = rows.computeIfAbsent(table, PackedTable::rows);
    for (PackedRow kind : kinds) {
      kind.clear();
    }
    for (int i = 0; i < qualifiers.size(); i++) {
      table.add(kinds, asOf, qualifiers.get(i), values.get(i));
    }
    for (int slot : gone) {
      for (PackedRow kind : kinds) {
        kind.takeBack(slot, asOf);
      }
    }
    byte[][] names = new byte[kinds.length][];
    byte[][] parts = new byte[kinds.length][];
    int n = 0;
    for (PackedRow kind : kinds) {
      if (!kind.isEmpty()) {
        parts[n] = kind.value();
        names[n] = kind.qualifier(key, 0, key.length, parts[n]);
        n++;
      }
    }
    return RowBatch.request(
        table.name, key, Arrays.copyOf(names, n), Arrays.copyOf(parts, n), asOf);
  }
}
