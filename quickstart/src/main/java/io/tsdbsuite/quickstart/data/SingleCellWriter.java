package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.format.row.PointBuffer;
import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.HBaseServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes {@link RequestRate} with a cell for each point, as they lie in the table of a TSD with
 * {@code tsd.storage.enable_compaction = false}, as installations do that find it too dear. All of
 * them go into one HFile that HBase then loads: a table that was compacted a moment ago, the best
 * case for who reads such cells.
 */
public final class SingleCellWriter {
  /** The metric: the same points as {@link RequestRate#METRIC}. */
  public static final String METRIC = "edge.requests.cells";

  private static final byte[] FAMILY = Bytes.toBytes("t");
  private static final long MILLIS = 1000;

  private final RequestRate rate;
  private final StorageSchema schema;
  private final RowKey keys;

  /**
   * @param rate the points
   * @param schema schema of the TSD
   */
  public SingleCellWriter(RequestRate rate, StorageSchema schema) {
    this.rate = rate;
    this.schema = schema;
    this.keys = new RowKey(schema);
  }

  /**
   * Writes all hours.
   *
   * @param hbase the TSD's HBase
   * @param uids UIDs of the series
   * @param metric UID of {@link #METRIC}
   * @param directory for the HFile, which HBase takes away
   * @param from first hour
   * @param to last hour, exclusive
   * @return number of points
   * @throws IOException when it cannot be written or HBase refuses it
   */
  public long write(
      HBaseServer hbase, SeriesUids uids, byte[] metric, Path directory, long from, long to)
      throws IOException {
    Configuration conf = hbase.clientConfiguration();
    FileSystem local = FileSystem.getLocal(conf);
    org.apache.hadoop.fs.Path family =
        new org.apache.hadoop.fs.Path(directory.toUri().toString(), "t");
    local.mkdirs(family);
    long written = 0;
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, CacheConfig.DISABLED)
            .withPath(local, new org.apache.hadoop.fs.Path(family, "cells"))
            .withFileContext(
                new HFileContextBuilder()
                    .withBlockSize(1 << 16)
                    .withDataBlockEncoding(DataBlockEncoding.DIFF)
                    .build())
            .create()) {
      List<Map.Entry<Integer, List<byte[]>>> sorted = new ArrayList<>(uids.sorted().entrySet());
      PointBuffer points = new PointBuffer(RequestRate.POINTS_PER_HOUR);
      for (long hour : RequestRate.hours(from, to)) {
        for (Map.Entry<Integer, List<byte[]>> series : sorted) {
          byte[] row = keys.encode(metric, hour, series.getValue().toArray(byte[][]::new));
          rate.hour(series.getKey(), hour, points);
          append(row, hour, points, writer);
          written += points.size();
        }
      }
    }
    BulkLoadHFiles.create(conf)
        .bulkLoad(
            TableName.valueOf(schema.dataTable()),
            new org.apache.hadoop.fs.Path(directory.toUri().toString()));
    return written;
  }

  private static void append(byte[] row, long hour, PointBuffer points, HFile.Writer writer)
      throws IOException {
    for (int i = 0; i < points.size(); i++) {
      int seconds = points.offsetMillis(i) / (int) MILLIS;
      int length = points.valueLength(i);
      byte[] value = new byte[length];
      byte[] bits = ByteBuffer.allocate(Long.BYTES).putLong(points.rawBits(i)).array();
      System.arraycopy(bits, Long.BYTES - length, value, 0, length);
      byte[] qualifier = Qualifier.ofSeconds(seconds, points.isFloat(i), length);
      // The TSD writes a point when it comes.
      long stamp = (hour + seconds) * MILLIS;
      writer.append(new KeyValue(row, FAMILY, qualifier, stamp, value));
    }
  }
}
