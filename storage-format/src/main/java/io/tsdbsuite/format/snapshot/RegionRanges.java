package io.tsdbsuite.format.snapshot;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * The row ranges of the regions in a manifest: they must join without hole or overlap. A hole would
 * lose rows silently, an overlap would read rows twice, and a manifest that is cut off between two
 * regions is found by nothing else.
 */
public final class RegionRanges {
  /** Order of start keys: unsigned bytes. */
  public static final Comparator<byte[]> BY_KEY = RegionRanges::compare;

  /** Start key of the region that has the MOB files of a table; its id is 0. */
  private static final byte[] MOB_REGION = ".mob".getBytes(StandardCharsets.UTF_8);

  private RegionRanges() {}

  /**
   * Whether a region has rows of its own. A split parent stays in the manifest until the catalog
   * janitor has run; its daughters have all of its rows. The region of the MOB files has none.
   *
   * @param id the region's id, 0 for the region of the MOB files
   * @param split whether it is a split parent
   * @param replica number of the replica, 0 for the region itself
   */
  public static boolean isLive(long id, byte[] startKey, boolean split, int replica) {
    return !split && replica == 0 && !(id == 0 && Arrays.equals(startKey, MOB_REGION));
  }

  /**
   * Finds the first hole or overlap.
   *
   * @param starts first rows of the live regions, inclusive, in the order of {@link #BY_KEY}; empty
   *     for the start of the table
   * @param ends last rows of the same regions, exclusive; empty for the end of the table
   * @return index of the first region that does not begin where the one before it ends; the number
   *     of regions if the last one does not end with the table; empty if they cover the table
   */
  public static OptionalInt firstProblem(List<byte[]> starts, List<byte[]> ends) {
    byte[] expected = {};
    for (int i = 0; i < starts.size(); i++) {
      // The end of the table is as empty as its start, and no region comes after it.
      boolean afterEnd = i > 0 && expected.length == 0;
      if (afterEnd || !Arrays.equals(starts.get(i), expected)) {
        return OptionalInt.of(i);
      }
      expected = ends.get(i);
    }
    return starts.isEmpty() || expected.length > 0
        ? OptionalInt.of(starts.size())
        : OptionalInt.empty();
  }

  private static int compare(byte[] a, byte[] b) {
    for (int i = 0; i < Math.min(a.length, b.length); i++) {
      int order = Integer.compare(a[i] & 0xff, b[i] & 0xff);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(a.length, b.length);
  }
}
