package io.tsdbsuite.bulk.table;

import io.tsdbsuite.bulk.hbase.HBaseFailures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/**
 * A few row keys from all parts of the data table: the first and the last ones of some ranges. A
 * range takes one or two RPCs, and one more for each of its regions that is empty.
 */
public final class RowSample {
  /** First rows, and last rows, of a range. */
  private static final int ROWS = 4;

  /** Regions whose start keys begin a range. */
  private static final int REGIONS = 8;

  private RowSample() {}

  /**
   * Reads row keys.
   *
   * @param starts start keys of further ranges
   * @return ascending; empty if the table has no rows
   * @throws io.tsdbsuite.job.JobException outside, or usage if a right is missing, when HBase fails
   */
  public static List<byte[]> read(
      Connection connection, TableFacts table, Collection<byte[]> starts) {
    TreeSet<byte[]> ranges = new TreeSet<>(Arrays::compareUnsigned);
    ranges.addAll(starts);
    int regions = table.regions().size();
    for (int i = 0; i < REGIONS; i++) {
      ranges.add(table.regions().get((int) ((long) regions * i / REGIONS)).start());
    }
    TreeSet<byte[]> rows = new TreeSet<>(Arrays::compareUnsigned);
    try (Table source = connection.getTable(table.name())) {
      for (byte[] start : ranges) {
        byte[] next = ranges.higher(start);
        byte[] end = next == null ? new byte[0] : next;
        List<byte[]> first = read(source, range(start, end));
        rows.addAll(first);
        if (first.size() == ROWS) {
          rows.addAll(read(source, reversed(start, end)));
        }
      }
    } catch (IOException e) {
      throw HBaseFailures.outside("table '" + table.name() + "' must return row keys", e);
    }
    return List.copyOf(rows);
  }

  private static Scan range(byte[] start, byte[] end) {
    return new Scan().withStartRow(start).withStopRow(end);
  }

  /** An empty key is the end of the table as the start of this scan, and its begin as the stop. */
  private static Scan reversed(byte[] start, byte[] end) {
    return new Scan()
        .setReversed(true)
        .withStartRow(end, end.length == 0)
        .withStopRow(start, start.length > 0);
  }

  private static List<byte[]> read(Table table, Scan scan) throws IOException {
    scan.addFamily(TableFacts.FAMILY)
        .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()))
        .setReadType(Scan.ReadType.PREAD)
        // A server that finds nothing but deleted cells for half an RPC's time answers with a
        // cursor.
        .setNeedCursorResult(true)
        .setLimit(ROWS);
    List<byte[]> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null && !row.isCursor(); row = scanner.next()) {
        rows.add(row.getRow());
      }
    }
    return rows;
  }
}
