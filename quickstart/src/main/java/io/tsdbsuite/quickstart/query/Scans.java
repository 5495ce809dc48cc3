package io.tsdbsuite.quickstart.query;

import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.util.List;
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
 * Counts what queries read by scanning the same tables over the same ranges with the same filters.
 * TSD 2.4.1 tells rows, but neither cells nor bytes: columnsFromStorage and bytesFromStorage are
 * commented out in its SaltScanner. Tables without salt only.
 */
public final class Scans {
  private static final int SCAN_CACHING = 128;

  private final Connection connection;
  private final StorageSchema schema;
  private final RollupConfig rollups;

  /**
   * @param connection to the TSD's HBase
   * @param schema of the TSD
   * @param rollups of the TSD
   */
  public Scans(Connection connection, StorageSchema schema, RollupConfig rollups) {
    this.connection = connection;
    this.schema = schema;
    this.rollups = rollups;
  }

  /**
   * Raw data of a metric.
   *
   * @param metric its UID
   * @param from first second, a whole hour
   * @param to last second, exclusive, a whole hour
   * @throws IOException when HBase does not answer
   */
  public ScanCost raw(byte[] metric, long from, long to) throws IOException {
    return count(schema.dataTable(), scan(metric, from, to));
  }

  /**
   * Rollups of a metric.
   *
   * @param metric its UID
   * @param interval for example {@code 1h}
   * @param aggregators the stored ones that the query reads: for avg those are sum and count
   * @param from first second, start of a row
   * @param to last second, exclusive, start of a row
   * @throws IOException when HBase does not answer
   */
  public ScanCost rollup(
      byte[] metric, String interval, List<String> aggregators, long from, long to)
      throws IOException {
    RollupInterval stored = rollups.interval(interval);
    FilterList any = new FilterList(FilterList.Operator.MUST_PASS_ONE);
    for (String aggregator : aggregators) {
      byte[] id = {rollups.aggregatorId(aggregator).byteValue()};
      any.addFilter(new QualifierFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(id)));
    }
    Scan scan = scan(metric, stored.baseTime(from), stored.baseTime(to));
    return count(stored.table(), scan.setFilter(any));
  }

  private Scan scan(byte[] metric, long from, long to) {
    return new Scan()
        .withStartRow(row(metric, from))
        .withStopRow(row(metric, to))
        .setCaching(SCAN_CACHING);
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
          // Points in seconds have qualifiers of 2 bytes; a rollup's has 3.
          points += cell.getQualifierLength() / 2;
          bytes += cell.getRowLength() + cell.getQualifierLength() + cell.getValueLength();
        }
      }
    }
    return new ScanCost(rows, cells, points, bytes);
  }
}
