package io.tsdbsuite.rollup.load;

import io.tsdbsuite.rollup.hfile.TargetTable;
import io.tsdbsuite.rollup.hfile.WrittenFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/**
 * Counts the cells of a run in a table, by their timestamp, which is that of the run. Raw, so that
 * cells count that a newer one hides: a message may have been stored since the run began.
 */
final class CellCount {
  private static final int ROWS_PER_CALL = 1000;

  private CellCount() {}

  /**
   * The cells in the rows of a file.
   *
   * @throws IOException when HBase fails
   */
  static long of(Table table, WrittenFile file, long stamp) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(file.firstRow(), true)
            .withStopRow(file.lastRow(), true)
            .addFamily(TargetTable.FAMILY.getBytes(StandardCharsets.ISO_8859_1))
            .setTimeRange(stamp, stamp + 1)
            .setRaw(true)
            .readAllVersions()
            .setFilter(new KeyOnlyFilter())
            .setCaching(ROWS_PER_CALL)
            .setCacheBlocks(false);
    long cells = 0;
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        cells += row.size();
      }
    }
    return cells;
  }
}
