package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Counts what HBase sends for queries of a metric's raw data: scans the same ranges as the TSD. TSD
 * 2.4.1 reports rows, but no cells: {@code columnsFromStorage} is commented out in its SaltScanner.
 * Tables without salt only.
 *
 * @param connection connection to the TSD's HBase
 * @param table the TSD's data table
 * @param metric UID of the metric
 */
public record ScanCounter(Connection connection, String table, byte[] metric) {
  private static final int SCAN_CACHING = 1024;

  /**
   * Counts the cells of all series of a span; a compacted cell counts once.
   *
   * @throws IOException when HBase does not answer
   */
  public long count(QuerySpan span) throws IOException {
    long cells = 0;
    Scan scan =
        new Scan()
            .withStartRow(row(span.from()))
            .withStopRow(row(span.to()))
            .setCaching(SCAN_CACHING)
            .setCacheBlocks(false);
    try (Table source = connection.getTable(TableName.valueOf(table));
        ResultScanner scanner = source.getScanner(scan)) {
      for (Result result : scanner) {
        cells += result.size();
      }
    }
    return cells;
  }

  private byte[] row(long time) {
    return Bytes.add(metric, Uids.bytes(time, RowKey.TIME_WIDTH));
  }
}
