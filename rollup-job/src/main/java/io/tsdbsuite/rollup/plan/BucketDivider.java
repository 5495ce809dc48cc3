package io.tsdbsuite.rollup.plan;

import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.job.JobException;
import io.tsdbsuite.rollup.plan.FileExtent.Stretch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Divides the window by row keys without salt: a partition has the rows of one range in every salt
 * bucket, so the rows of a series are in one partition, whatever bucket they are in.
 *
 * <pre>
 *                  range 1   range 2
 *   bucket 0   00| a .. m  | m .. z
 *   bucket 1   01| a .. m  | m .. z
 * </pre>
 */
final class BucketDivider {
  private static final byte[] EDGE = {};

  private final RowKey rowKey;
  private final StorageSchema schema;
  private final RowWindow unsalted;
  private final boolean wholeDays;
  private final long partitionBytes;

  /**
   * @param wholeDays whether no day of a metric may be in two partitions
   * @param partitionBytes approximate limit of the bytes of a partition; at least 1
   */
  BucketDivider(StorageSchema schema, boolean wholeDays, long partitionBytes) {
    this.rowKey = new RowKey(schema);
    this.schema = schema;
    this.unsalted = new RowWindow(schema.withoutSalt(), 0, 0);
    this.wholeDays = wholeDays;
    this.partitionBytes = partitionBytes;
  }

  /**
   * Makes the partitions.
   *
   * @param regions in row order
   * @throws JobException usage, when the table has rows in a bucket that the TSDs do not have
   */
  List<RollupPartition> divide(List<RegionExtent> regions) {
    List<Stretch> stretches =
        regions.stream()
            .flatMap(region -> region.stretches().stream())
            .map(this::unsalted)
            .sorted(Comparator.comparing(Stretch::row, Arrays::compareUnsigned))
            .toList();
    List<RollupPartition> partitions = new ArrayList<>();
    byte[] start = EDGE;
    long bytes = 0;
    for (Stretch stretch : stretches) {
      byte[] border = border(stretch.row());
      if (bytes >= partitionBytes && Arrays.compareUnsigned(border, start) > 0) {
        add(partitions, regions, start, border, bytes);
        start = border;
        bytes = 0;
      }
      bytes += stretch.bytes();
    }
    if (!stretches.isEmpty()) {
      add(partitions, regions, start, EDGE, bytes);
    }
    return List.copyOf(partitions);
  }

  private Stretch unsalted(Stretch stretch) {
    byte[] row = stretch.row();
    int salt = rowKey.metricOffset();
    byte[] end = RowRanges.end(rowKey, schema.saltBuckets() - 1);
    if (end.length > 0 && Arrays.compareUnsigned(row, end) >= 0) {
      throw JobException.usage(
          "the table has rows in salt bucket "
              + Bytes.toStringBinary(row, 0, Math.min(salt, row.length))
              + ", and tsd.storage.salt.buckets is "
              + schema.saltBuckets()
              + ": no TSD with this configuration reads them; the TSDs and this job need the number"
              + " of buckets with which they were written");
    }
    return new Stretch(
        Arrays.copyOfRange(row, Math.min(salt, row.length), row.length), stretch.bytes());
  }

  private byte[] border(byte[] row) {
    byte[] day = wholeDays ? unsalted.startOfDay(row) : row;
    return Arrays.compareUnsigned(day, row) < 0 ? day : row;
  }

  private void add(
      List<RollupPartition> partitions,
      List<RegionExtent> regions,
      byte[] start,
      byte[] stop,
      long bytes) {
    List<RegionPart> parts = new ArrayList<>();
    for (int bucket = 0; bucket < schema.saltBuckets(); bucket++) {
      byte[] first = RowRanges.start(rowKey, bucket, start);
      byte[] last = RowRanges.stop(rowKey, bucket, stop);
      for (RegionExtent region : regions) {
        byte[] from = RowRanges.later(first, region.region().startKey());
        byte[] to = RowRanges.earlier(last, region.region().endKey());
        if (to.length == 0 || Arrays.compareUnsigned(from, to) < 0) {
          RegionPart part = region.part(from, to, to);
          if (!part.files().isEmpty()) {
            parts.add(part);
          }
        }
      }
    }
    if (!parts.isEmpty()) {
      partitions.add(new RollupPartition(partitions.size(), parts, bytes, null, true));
    }
  }
}
