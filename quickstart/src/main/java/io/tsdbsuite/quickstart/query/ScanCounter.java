package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Measures the scan cost of queries of raw data: scans the same ranges as the TSD. TSD 2.4.1
 * reports rows, but no cells: {@code columnsFromStorage} is commented out in its SaltScanner.
 * Tables without salt only.
 *
 * @param connection connection to the TSD's HBase
 * @param schema the TSD's schema
 */
public record ScanCounter(Connection connection, StorageSchema schema) {
  private static final int SCAN_CACHING = 1024;

  /**
   * Measures the scan cost of a metric's raw data.
   *
   * @param metric UID of the metric
   * @param from first second, since the epoch, UTC; start of an hour
   * @param to last second, exclusive, since the epoch, UTC; start of an hour
   * @throws IOException when HBase does not answer
   */
  public ScanCost raw(byte[] metric, long from, long to) throws IOException {
    long cells = 0;
    long points = 0;
    Scan scan =
        new Scan()
            .withStartRow(row(metric, from))
            .withStopRow(row(metric, to))
            .setCaching(SCAN_CACHING)
            .setCacheBlocks(false);
    try (Table source = connection.getTable(TableName.valueOf(schema.dataTable()));
        ResultScanner scanner = source.getScanner(scan)) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          cells++;
          // Points in seconds have qualifiers of 2 bytes.
          points += cell.getQualifierLength() / 2;
        }
      }
    }
    return new ScanCost(cells, points);
  }

  private static byte[] row(byte[] metric, long time) {
    return Bytes.add(metric, Uids.bytes(time, RowKey.TIME_WIDTH));
  }
}
