package io.tsdbsuite.bench.rollup;

import io.tsdbsuite.bench.BenchRow;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.row.Uids;
import io.tsdbsuite.format.schema.StorageSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;

/**
 * Rows of a data table whose series have names: metrics by hours by series, each with the tags dc
 * and host. Each metric has its own hosts, spread over all UIDs, so that lookups of names do not
 * hit the processor's cache.
 *
 * @param like contents of the rows, used in rotation
 * @param metrics number of metrics, with UIDs from 1 on
 * @param hours number of hours from {@link TableRows#START} on
 * @param series number of series of each metric
 */
record JobRows(List<BenchRow> like, int metrics, int hours, int series) {
  private static final int DCS = 16;
  private static final StorageSchema SCHEMA = TableRows.SCHEMA;
  private static final RowKey KEY = new RowKey(SCHEMA);

  /** Regions whose numbers of metrics differ by at most one. */
  List<TestTable.Region> regions(int count) {
    List<TestTable.Region> regions = new ArrayList<>();
    int number = Math.min(count, metrics);
    for (int i = 0; i < number; i++) {
      int from = 1 + i * metrics / number;
      int to = 1 + (i + 1) * metrics / number;
      regions.add(
          new TestTable.Region(
              i == 0 ? new byte[0] : metric(from),
              i == number - 1 ? new byte[0] : metric(to),
              writer -> write(writer, from, to)));
    }
    return regions;
  }

  private void write(StoreFileWriter writer, int from, int to) throws IOException {
    int next = 0;
    for (int metric = from; metric < to; metric++) {
      for (int hour = 0; hour < hours; hour++) {
        long base = TableRows.START + (long) hour * RowKey.ROW_SPAN_SECONDS;
        for (int s = 0; s < series; s++) {
          byte[] dc = pair(1, 1 + s * DCS / series);
          byte[] host = pair(2, host(metric, s));
          byte[] key = KEY.encode(metric(metric), base, dc, host);
          TableRows.append(writer, key, like.get(next++ % like.size()));
        }
      }
    }
  }

  private int host(int metric, int s) {
    int spread = (JobNames.TAGVS - DCS) / series;
    return 1 + DCS + s * spread + metric % spread;
  }

  private static byte[] metric(int number) {
    return Uids.bytes(number, SCHEMA.metricWidth());
  }

  private static byte[] pair(int tagk, int tagv) {
    byte[] pair = new byte[SCHEMA.tagkWidth() + SCHEMA.tagvWidth()];
    Uids.write(tagk, pair, 0, SCHEMA.tagkWidth());
    Uids.write(tagv, pair, SCHEMA.tagkWidth(), SCHEMA.tagvWidth());
    return pair;
  }
}
