package io.tsdbsuite.rollup.tiers.apply;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.uid.UidKind;
import io.tsdbsuite.hbase.read.RowReader;
import io.tsdbsuite.hbase.snapshot.Snapshot;
import io.tsdbsuite.hbase.snapshot.SnapshotRegion;
import io.tsdbsuite.message.write.ByteSlice;
import io.tsdbsuite.rollup.plan.RowWindow;
import io.tsdbsuite.rollup.tiers.Policy;
import io.tsdbsuite.rollup.uid.UidNames;
import java.io.IOException;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether snapshots of a table have rows of metrics, by the entries of a policy. It reads one row
 * of a metric in each region.
 *
 * @param names of a live UID table
 */
record EntryRows(TierTable table, Policy policy, UidNames names) {
  /** The name of a metric; null if it has none. */
  static @Nullable String name(UidNames names, long uid) {
    ByteSlice name = new ByteSlice();
    return names.lookup(UidKind.METRIC, uid, name) ? name.toString() : null;
  }

  /**
   * Looks for rows of an entry's metrics in a snapshot.
   *
   * @param floor of a metric: earlier rows do not count
   * @return the time of a metric's first row in a region, by name
   */
  SortedMap<String, Long> find(
      Snapshot data, Policy.Entry entry, long from, long to, ToLongFunction<String> floor)
      throws IOException {
    SortedMap<String, Long> found = new TreeMap<>();
    SnapshotRows times = new SnapshotRows(data, table, from, to, Set.of(), Set.of(), null, true);
    for (SnapshotRegion region : times.regions()) {
      boolean unused =
          times.rows(
              region,
              rows -> {
                find(rows, entry, from, to, floor, found);
                return true;
              });
    }
    return found;
  }

  private void find(
      RowReader rows,
      Policy.Entry entry,
      long from,
      long to,
      ToLongFunction<String> floor,
      SortedMap<String, Long> found)
      throws IOException {
    RowKey keys = new RowKey(table.schema());
    RowWindow window = new RowWindow(table.schema(), from, to);
    byte[] next = {};
    while (next != null && rows.peek()) {
      byte[] key = rows.rowArray();
      int off = rows.rowOffset();
      int len = rows.rowLength();
      if (len < keys.tagsOffset()) {
        // A key of no series; the next one is after it.
        next = new byte[len + 1];
        System.arraycopy(key, off, next, 0, len);
      } else if (!window.contains(key, off, len)) {
        next = window.nextAfter(key, off, len);
      } else {
        String metric = name(names, keys.metricUid(key, off));
        next = window.nextMetric(key, off, len);
        if (metric != null && entry.equals(policy.of(metric))) {
          long time = keys.baseTime(key, off);
          long begin = floor.applyAsLong(metric);
          if (time >= begin) {
            found.merge(metric, time, Math::min);
          } else if (begin < to) {
            next = new RowWindow(table.schema(), begin, to).nextAfter(key, off, len);
          }
        }
      }
      if (next != null) {
        rows.seek(next);
      }
    }
  }
}
