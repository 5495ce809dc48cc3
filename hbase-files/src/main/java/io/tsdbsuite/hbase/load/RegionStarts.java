package io.tsdbsuite.hbase.load;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/** Finds the region of a key; immutable. */
public final class RegionStarts implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[][] starts;

  /**
   * @param starts first keys, ascending, the first of them empty; not copied
   */
  public RegionStarts(byte[][] starts) {
    this.starts = starts;
  }

  /** Of regions that are ascending and without a gap. */
  public static RegionStarts of(List<Region> regions) {
    return new RegionStarts(regions.stream().map(Region::start).toArray(byte[][]::new));
  }

  /** Number of regions. */
  public int count() {
    return starts.length;
  }

  /**
   * The last region that begins at or before the key, from 0.
   *
   * @param from where the key begins
   * @param to behind its end
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
