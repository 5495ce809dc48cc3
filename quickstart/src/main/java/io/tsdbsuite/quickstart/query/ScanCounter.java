package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Measures the scan cost of queries: scans the same tables and ranges with the same filters as the
 * TSD. TSD 2.4.1 reports rows, but neither cells nor bytes: {@code columnsFromStorage} and {@code
 * bytesFromStorage} are commented out in its SaltScanner. Tables without salt only.
 */
public final class ScanCounter {
  private static final int SCAN_CACHING = 1024;

  private final Connection connection;
  private final StorageSchema schema;
  private final RollupConfig rollups;

  /**
   * @param connection connection to the TSD's HBase
   * @param schema the TSD's schema
   * @param rollups the TSD's rollup configuration
   */
  public ScanCounter(Connection connection, StorageSchema schema, RollupConfig rollups) {
    this.connection = connection;
    this.schema = schema;
    this.rollups = rollups;
  }

  /**
   * Measures the scan cost of a metric's raw data.
   *
   * @param metric UID of the metric
   * @param from first second, since the epoch, UTC; start of an hour
   * @param to last second, exclusive, since the epoch, UTC; start of an hour
   * @throws IOException when HBase does not answer
   */
  public ScanCost raw(byte[] metric, long from, long to) throws IOException {
    return count(schema.dataTable(), scan(metric, from, to));
  }

  /**
   * Measures the scan cost of a metric's rollups.
   *
   * @param metric UID of the metric
   * @param interval rollup interval, for example {@code 1h}
   * @param aggregators aggregators that the query reads: sum and count for avg
   * @param from first second, since the epoch; its row is read as a whole
   * @param to last second, exclusive, since the epoch; the row before it is read as a whole
   * @throws IOException when HBase does not answer
   */
  public ScanCost rollup(
      byte[] metric, String interval, List<String> aggregators, long from, long to)
      throws IOException {
    RollupInterval stored = Objects.requireNonNull(rollups.interval(interval), interval);
    FilterList any = new FilterList(FilterList.Operator.MUST_PASS_ONE);
    for (String aggregator : aggregators) {
      int number = Objects.requireNonNull(rollups.aggregatorId(aggregator), aggregator);
      byte[] id = {(byte) number};
      any.addFilter(new QualifierFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(id)));
    }
    Scan scan = scan(metric, stored.baseTime(from), stored.baseTime(to - 1) + 1);
    return count(stored.table(), scan.setFilter(any));
  }

  private Scan scan(byte[] metric, long from, long to) {
    return new Scan()
        .withStartRow(row(metric, from))
        .withStopRow(row(metric, to))
        .setCaching(SCAN_CACHING)
        .setCacheBlocks(false);
  }

  private static byte[] row(byte[] metric, long time) {
    return Bytes.add(metric, Uids.bytes(time, RowKey.TIME_WIDTH));
  }

  private ScanCost count(String table, Scan scan) throws IOException {
    long rows = 0;
    long cells = 0;
    long points = 0;
    long bytes = 0;
    try (Table source = connection.getTable(TableName.valueOf(table));
        ResultScanner scanner = source.getScanner(scan)) {
      for (Result result : scanner) {
        rows++;
        for (Cell cell : result.rawCells()) {
          cells++;
          // Points in seconds have qualifiers of 2 bytes, rollups of 3 bytes.
          points += cell.getQualifierLength() / 2;
          bytes += cell.getRowLength() + cell.getQualifierLength() + cell.getValueLength();
        }
      }
    }
    return new ScanCost(rows, cells, points, bytes);
  }
}
