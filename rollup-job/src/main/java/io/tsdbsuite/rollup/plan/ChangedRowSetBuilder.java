package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import java.util.Arrays;
import java.util.TreeMap;

/** Collects changed rows, in any order and with duplicates. */
public final class ChangedRowSetBuilder {
  private static final int DAY = 86400;

  private final RowKey rowKey;
  private final int spanSeconds;
  private final TreeMap<byte[], Integer> entries = new TreeMap<>(Arrays::compareUnsigned);

  /**
   * @param wholeDays whether to read all hours of a day when one of them has changed
   */
  public ChangedRowSetBuilder(StorageSchema schema, boolean wholeDays) {
    this.rowKey = new RowKey(schema);
    this.spanSeconds = wholeDays ? DAY : RowKey.ROW_SPAN_SECONDS;
  }

  /**
   * Adds a row.
   *
   * @param row a well-formed key
   */
  public void add(byte[] row) {
    long time = rowKey.baseTime(row, 0);
    long span = time - time % spanSeconds;
    byte[] key = row.clone();
    rowKey.writeBaseTime(key, span);
    int hour = 1 << (int) (time % spanSeconds / RowKey.ROW_SPAN_SECONDS);
    entries.merge(key, hour, (a, b) -> a | b);
  }

  /** Adds an entry of another set. */
  void add(ChangedRowSet other, int entry) {
    entries.merge(other.key(entry), other.hours(entry), (a, b) -> a | b);
  }

  /** Adds all entries of another set. */
  public void addAll(ChangedRowSet other) {
    for (int entry = 0; entry < other.size(); entry++) {
      add(other, entry);
    }
  }

  /** Number of entries, one for each series and span. */
  public int size() {
    return entries.size();
  }

  /** Returns a set of all entries added so far. */
  public ChangedRowSet build() {
    int bytes = 0;
    for (byte[] key : entries.keySet()) {
      bytes = Math.addExact(bytes, key.length);
    }
    byte[] keys = new byte[bytes];
    int[] ends = new int[entries.size()];
    int[] hours = new int[entries.size()];
    int at = 0;
    int i = 0;
    for (var entry : entries.entrySet()) {
      byte[] key = entry.getKey();
      System.arraycopy(key, 0, keys, at, key.length);
      at += key.length;
      ends[i] = at;
      hours[i] = entry.getValue();
      i++;
    }
    return new ChangedRowSet(rowKey, spanSeconds, keys, ends, hours);
  }
}
