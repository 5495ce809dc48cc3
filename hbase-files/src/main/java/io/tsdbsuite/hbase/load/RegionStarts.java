package io.tsdbsuite.hbase.load;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Finds the region of a key; immutable. */
public final class RegionStarts implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[][] starts;

  /**
   * @param starts first keys, ascending, the first one empty; not copied
   */
  public RegionStarts(byte[][] starts) {
    this.starts = starts;
  }

  /** From regions in ascending order without gaps. */
  public static RegionStarts of(List<Region> regions) {
    return new RegionStarts(regions.stream().map(Region::start).toArray(byte[][]::new));
  }

  /** Number of regions. */
  public int count() {
    return starts.length;
  }

  /**
   * The index, from 0, of the last region that begins at or before the key.
   *
   * @param from index of the first byte of the key
   * @param to index after its last byte
   */
  public int region(byte[] key, int from, int to) {
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

  @Override
  public boolean equals(Object other) {
    return other instanceof RegionStarts same && Arrays.deepEquals(starts, same.starts);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(starts);
  }
}
