package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.hbase.load.Region;
import io.tsdbsuite.hbase.load.RegionStarts;
import java.util.List;
import org.apache.spark.Partitioner;

/**
 * Partitioner of the records.
 *
 * <pre>
 *   0 .. regions - 1     rows, by the regions of the table
 *   then                 series, by a hash of the TSUID; none without --meta
 *   the last one         books
 * </pre>
 */
final class ShufflePartitions extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final RegionStarts starts;
  private final int series;

  /**
   * @param regions ascending, without a gap
   * @param series number of partitions for them
   */
  ShufflePartitions(List<Region> regions, int series) {
    this(RegionStarts.of(regions), series);
  }

  ShufflePartitions(RegionStarts starts, int series) {
    this.starts = starts;
    this.series = series;
  }

  int regions() {
    return starts.count();
  }

  int series() {
    return series;
  }

  int books() {
    return starts.count() + series;
  }

  @Override
  public int numPartitions() {
    return books() + 1;
  }

  @Override
  public int getPartition(Object record) {
    byte[] key = (byte[]) record;
    int from = ShuffleKey.innerOffset();
    int to = from + ShuffleKey.innerLength(key);
    return switch (ShuffleKey.kind(key)) {
      case ShuffleKey.ROW -> starts.region(key, from, to);
      case ShuffleKey.SERIES -> starts.count() + Math.floorMod(hash(key, from, to), series);
      default -> books();
    };
  }

  private static int hash(byte[] key, int from, int to) {
    int hash = 1;
    for (int at = from; at < to; at++) {
      hash = 31 * hash + key[at];
    }
    // UIDs are small numbers, and such sums of them are not spread.
    return hash ^ (hash >>> 15) * 0x2c1b3c6d;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ShufflePartitions same
        && series == same.series
        && starts.equals(same.starts);
  }

  @Override
  public int hashCode() {
    return 31 * starts.hashCode() + series;
  }
}
