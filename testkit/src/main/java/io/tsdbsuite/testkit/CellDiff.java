package io.tsdbsuite.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** Compares the cells of two tables, for messages; ignores cell timestamps. */
public final class CellDiff {
  private static final Comparator<RawCell> ORDER =
      Comparator.comparing(RawCell::row, Bytes.BYTES_COMPARATOR)
          .thenComparing(RawCell::family)
          .thenComparing(RawCell::qualifier, Bytes.BYTES_COMPARATOR);

  private CellDiff() {}

  /**
   * Compares cells.
   *
   * @param expected the expected cells, in any order
   * @param found the actual cells, in any order
   * @param max maximum number of differences
   * @return the first differences in HBase's order, one line each: {@code missing}, {@code
   *     unexpected} or {@code value}; empty if there are none
   */
  public static List<String> of(List<RawCell> expected, List<RawCell> found, int max) {
    List<RawCell> left = new ArrayList<>(expected);
    List<RawCell> right = new ArrayList<>(found);
    left.sort(ORDER);
    right.sort(ORDER);
    List<String> differences = new ArrayList<>();
    int l = 0;
    int r = 0;
    while ((l < left.size() || r < right.size()) && differences.size() < max) {
      int order;
      if (l == left.size()) {
        order = 1;
      } else if (r == right.size()) {
        order = -1;
      } else {
        order = ORDER.compare(left.get(l), right.get(r));
      }
      if (order < 0) {
        differences.add("missing " + left.get(l++));
      } else if (order > 0) {
        differences.add("unexpected " + right.get(r++));
      } else {
        RawCell want = left.get(l++);
        RawCell got = right.get(r++);
        if (!Bytes.equals(want.value(), got.value())) {
          differences.add("value " + got + " instead of " + Bytes.toHex(want.value()));
        }
      }
    }
    return differences;
  }
}
