package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.format.row.CompactedCell;
import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.RawCell;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Writes {@link RequestRate}: the last hours through the TSD, point by point, and everything before
 * them into HBase, one compacted cell for each series and hour, as the TSD's own compaction leaves
 * them. That is what a table looks like that a TSD has written for a month, and the form that is
 * read fastest.
 */
public final class RequestWriter {
  private static final int HOUR = 3600;
  private static final int MILLIS = 1000;
  private static final int ROWS_PER_PUT = 48;
  private static final String FAMILY = "t";

  private final RequestRate rate;
  private final StorageSchema schema;

  /**
   * @param rate the points
   * @param schema of the TSD
   */
  public RequestWriter(RequestRate rate, StorageSchema schema) {
    this.rate = rate;
    this.schema = schema;
  }

  /**
   * Writes the last hours through the TSD, which assigns the UIDs.
   *
   * @param tsd writes them
   * @param from first second, a whole hour
   * @param to last second, exclusive
   * @return number of points
   */
  public long writeLive(TsdClient tsd, long from, long to) {
    List<DataPoint> points = new ArrayList<>();
    for (long hour : RequestRate.hours(from, to)) {
      for (int server = 0; server < rate.series(); server++) {
        long time = hour;
        for (Number value : rate.hour(server, hour)) {
          if (time < to) {
            points.add(new DataPoint(RequestRate.METRIC, time, value, rate.tags(server)));
          }
          time += RequestRate.STEP_SECONDS;
        }
      }
    }
    tsd.put(points, 3600);
    return points.size();
  }

  /**
   * Writes compacted rows into the data table.
   *
   * @param hbase the TSD's HBase
   * @param uids of the series
   * @param from first hour
   * @param to last hour, exclusive: the start of what {@link #writeLive} has written
   * @return number of points
   */
  public long writeCompacted(HBaseServer hbase, SeriesUids uids, long from, long to) {
    return IntStream.range(0, rate.series())
        .parallel()
        .mapToLong(server -> writeCompacted(hbase, uids, server, from, to))
        .sum();
  }

  private long writeCompacted(HBaseServer hbase, SeriesUids uids, int server, long from, long to) {
    RowKey keys = new RowKey(schema);
    byte[][] pairs = uids.pairs().get(server).toArray(byte[][]::new);
    PointBuffer points = new PointBuffer(RequestRate.POINTS_PER_HOUR);
    List<RawCell> rows = new ArrayList<>(ROWS_PER_PUT);
    long written = 0;
    for (long hour : RequestRate.hours(from, to)) {
      rate.hour(server, hour, points);
      CompactedCell cell = CompactedCell.encode(points);
      // A TSD compacts a row when its hour is over for an hour.
      long stamp = (hour + 2 * HOUR) * MILLIS;
      byte[] key = keys.encode(uids.metric(), hour, pairs);
      rows.add(new RawCell(key, FAMILY, cell.qualifier(), stamp, cell.value()));
      written += points.size();
      if (rows.size() == ROWS_PER_PUT) {
        put(hbase, rows);
      }
    }
    put(hbase, rows);
    return written;
  }

  private void put(HBaseServer hbase, List<RawCell> rows) {
    try {
      hbase.putCells(schema.dataTable(), rows);
    } catch (IOException e) {
      throw new UncheckedIOException("compacted rows were not written", e);
    }
    rows.clear();
  }
}
