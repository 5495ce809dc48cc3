package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows of a data table: metrics by hours by series, each with two tags; contents rotate.
 *
 * @param like contents of the rows
 * @param firstMetric UID of the first metric
 * @param metrics number of metrics, with consecutive UIDs
 * @param firstHour hours from {@link #START} to the first one
 * @param hours number of hours
 * @param series number of series of each metric
 */
record TableRows(
    List<BenchRow> like, int firstMetric, int metrics, int firstHour, int hours, int series)
    implements TestTable.Rows {
  /** The first hour, seconds since the epoch, UTC. */
  static final long START = 1_690_848_000L;

  static final StorageSchema SCHEMA = StorageSchema.defaults();

  private static final RowKey KEY = new RowKey(SCHEMA);
  private static final byte[] FAMILY = Bytes.toBytes(TestTable.FAMILY);

  /** Rows of metrics with UIDs from 1 on, and of hours from {@link #START} on. */
  TableRows(List<BenchRow> like, int metrics, int hours, int series) {
    this(like, 1, metrics, 0, hours, series);
  }

  @Override
  public void writeTo(StoreFileWriter writer) throws IOException {
    int next = 0;
    for (int metric = firstMetric; metric < firstMetric + metrics; metric++) {
      for (int hour = firstHour; hour < firstHour + hours; hour++) {
        long base = START + (long) hour * RowKey.ROW_SPAN_SECONDS;
        for (int s = 0; s < series; s++) {
          byte[] key = KEY.encode(uid(metric), base, pair(1, 1 + s / 10), pair(2, 1 + s));
          append(writer, key, like.get(next++ % like.size()));
        }
      }
    }
  }

  static byte[] uid(int number) {
    byte[] uid = new byte[SCHEMA.metricWidth()];
    Uids.write(number, uid, 0, uid.length);
    return uid;
  }

  private static byte[] pair(int tagk, int tagv) {
    byte[] pair = new byte[SCHEMA.tagkWidth() + SCHEMA.tagvWidth()];
    Uids.write(tagk, pair, 0, SCHEMA.tagkWidth());
    Uids.write(tagv, pair, SCHEMA.tagkWidth(), SCHEMA.tagvWidth());
    return pair;
  }

  /** Appends the cells of a row. */
  static void append(StoreFileWriter writer, byte[] key, BenchRow row) throws IOException {
    for (int cell = 0; cell < row.cells(); cell++) {
      writer.append(
          new KeyValue(
              key,
              0,
              key.length,
              FAMILY,
              0,
              FAMILY.length,
              row.bytes(),
              row.qualifierOffset(cell),
              row.qualifierLength(cell),
              row.timestamp(cell),
              KeyValue.Type.Put,
              row.bytes(),
              row.valueOffset(cell),
              row.valueLength(cell)));
    }
  }
}
