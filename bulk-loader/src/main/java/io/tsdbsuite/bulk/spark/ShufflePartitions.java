package io.tsdbsuite.bulk.spark;

import io.tsdbsuite.bulk.table.Region;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.Partitioner;

/**
 * Where records go.
 *
 * <pre>
 *   0 .. regions - 1     rows, by the regions of the table
 *   then                 series, by a hash of the TSUID; none without --meta
 *   the last one         books
 * </pre>
 */
final class ShufflePartitions extends Partitioner {
  private static final long serialVersionUID = 1L;

  private final byte[][] starts;
  private final int series;

  /**
   * @param regions ascending, without a gap
   * @param series number of partitions for them
   */
  ShufflePartitions(List<Region> regions, int series) {
    this(regions.stream().map(Region::start).toArray(byte[][]::new), series);
  }

  ShufflePartitions(byte[][] starts, int series) {
    this.starts = starts;
    this.series = series;
  }

  int regions() {
    return starts.length;
  }

  int series() {
    return series;
  }

  int books() {
    return starts.length + series;
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
      case ShuffleKey.ROW -> region(key, from, to);
      case ShuffleKey.SERIES -> starts.length + Math.floorMod(hash(key, from, to), series);
      default -> books();
    };
  }

  /** The last region that begins at or before the key. */
  private int region(byte[] key, int from, int to) {
    int low = 0;
    int high = starts.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      byte[] start = starts[middle];
      if (Arrays.compareUnsigned(start, 0, start.length, key, from, to) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
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
        && Arrays.deepEquals(starts, same.starts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.deepHashCode(starts) + series;
  }
}
