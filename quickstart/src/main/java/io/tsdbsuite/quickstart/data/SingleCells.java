package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.format.row.Qualifier;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.testkit.HBaseServer;
import io.tsdbsuite.testkit.QuerySpec;
import io.tsdbsuite.testkit.Series;
import io.tsdbsuite.testkit.TsdClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
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

/**
 * {@link RequestRate} with a cell for each point, as it lies in the table of a TSD with {@code
 * tsd.storage.enable_compaction = false}, as installations do that find it too dear. All cells go
 * into one HFile that HBase then loads: a table that was compacted a moment ago, the best case for
 * who reads such cells.
 */
public final class SingleCells {
  /** The metric: the same points as {@link RequestRate#METRIC}. */
  public static final String METRIC = "edge.requests.cells";

  private static final byte[] FAMILY = RowKey.family();
  private static final long MILLIS = 1000;
  private static final int HOUR = 3600;

  private final TsdClient tsd;
  private final RequestRate rate;
  private final StorageSchema schema;
  private final RowKey keys;
  private final byte[] original;

  /** The tag pairs of each server as UIDs, by its number, in the order of row keys. */
  private final List<Map.Entry<Integer, byte[][]>> servers = new ArrayList<>();

  /**
   * Asks the TSD for the UIDs of all series.
   *
   * @param hour an hour in which all of them have points, seconds since the epoch
   * @throws IllegalStateException when the TSD has no UIDs for some of them
   */
  public SingleCells(TsdClient tsd, long hour, RequestRate rate, StorageSchema schema) {
    this.tsd = tsd;
    this.rate = rate;
    this.schema = schema;
    this.keys = new RowKey(schema);
    Map<Map<String, String>, String> tsuids = new HashMap<>();
    for (Series series : tsd.query(QuerySpec.of(RequestRate.METRIC, hour, hour + HOUR - 2))) {
      tsuids.put(series.tags(), series.tsuids().get(0));
    }
    byte[] metric = new byte[schema.metricWidth()];
    for (int server = 0; server < rate.series(); server++) {
      String tsuid = tsuids.get(rate.tags(server));
      if (tsuid == null) {
        throw new IllegalStateException("the TSD must know " + rate.tags(server));
      }
      byte[] uids = HexFormat.of().parseHex(tsuid);
      metric = Arrays.copyOf(uids, metric.length);
      List<byte[]> pairs = new ArrayList<>();
      for (int at = metric.length; at < uids.length; at += keys.pairWidth()) {
        pairs.add(Arrays.copyOfRange(uids, at, at + keys.pairWidth()));
      }
      servers.add(Map.entry(server, pairs.toArray(byte[][]::new)));
    }
    this.original = metric;
    servers.sort((a, b) -> Arrays.compareUnsigned(row(a, original, hour), row(b, original, hour)));
  }

  private byte[] row(Map.Entry<Integer, byte[][]> server, byte[] metric, long hour) {
    return keys.encode(metric, hour, server.getValue());
  }

  /** UID of {@link RequestRate#METRIC}. */
  public byte[] original() {
    return original;
  }

  /**
   * Writes all hours.
   *
   * @param directory for the HFile, which HBase takes away
   * @param from first hour, seconds since the epoch
   * @param to last hour, exclusive
   * @return number of points
   * @throws IOException when it cannot be written or HBase refuses it
   */
  public long write(HBaseServer hbase, Path directory, long from, long to) throws IOException {
    String uid = tsd.get("api/uid/assign?metric=" + METRIC).path("metric").path(METRIC).asText();
    byte[] metric = HexFormat.of().parseHex(uid);
    Configuration conf = hbase.clientConfiguration();
    FileSystem local = FileSystem.getLocal(conf);
    org.apache.hadoop.fs.Path target = new org.apache.hadoop.fs.Path(directory.toUri().toString());
    org.apache.hadoop.fs.Path family = new org.apache.hadoop.fs.Path(target, RowKey.FAMILY);
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
      for (long hour : RequestRate.hours(from, to)) {
        for (Map.Entry<Integer, byte[][]> server : servers) {
          written += append(row(server, metric, hour), hour, server.getKey(), writer);
        }
      }
    }
    BulkLoadHFiles.create(conf).bulkLoad(TableName.valueOf(schema.dataTable()), target);
    return written;
  }

  /** Appends the points of an hour; returns their number. */
  private int append(byte[] row, long hour, int server, HFile.Writer writer) throws IOException {
    List<Number> points = rate.hour(server, hour);
    int offset = 0;
    for (Number point : points) {
      byte[] value = RequestRate.stored(server, point);
      byte[] qualifier = Qualifier.ofSeconds(offset, point instanceof Double, value.length);
      // The TSD writes a point when it comes.
      writer.append(new KeyValue(row, FAMILY, qualifier, (hour + offset) * MILLIS, value));
      offset += RequestRate.STEP_SECONDS;
    }
    return points.size();
  }
}
