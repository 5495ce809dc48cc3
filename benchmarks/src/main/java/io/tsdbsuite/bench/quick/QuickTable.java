package io.tsdbsuite.bench.quick;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rows of the printed table, and a count of the ratios that moved. */
final class QuickTable {
  /** Larger changes are named. */
  static final double MOVED = 0.2;

  /** Time of the suite over that of the earlier run, which fails a check. */
  private static final double SLOWER = 4.0 / 3;

  /** The same on another processor, whose bare loop has another share of the time. */
  private static final double SLOWER_ELSEWHERE = 3;

  private static final String ROW = "%-84s %8s %8s  %s%n";
  static final String HEAD =
      String.format(Locale.ROOT, ROW, "CPU of the first way over the suite's", "now", "kept", "");

  private int moved;

  /**
   * Makes a row.
   *
   * @param kept the ratio of the earlier run, null if there is none
   */
  String row(String name, double now, @Nullable Double kept) {
    String change = kept == null ? "" : change(now / kept - 1);
    return String.format(
        Locale.ROOT, ROW, name, times(now), kept == null ? "none" : times(kept), change);
  }

  private String change(double share) {
    if (Math.abs(share) <= MOVED) {
      return "";
    }
    moved++;
    return String.format(
        Locale.ROOT,
        "moved by %+.0f %%: the suite is %s",
        100 * share,
        share > 0 ? "faster" : "slower");
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, ratio < 1 ? "%.4fx" : "%.2fx", ratio);
  }

  /**
   * Whether the suite is a third slower than in the earlier run; on another processor, a third as
   * fast.
   *
   * @param kept the ratio of the earlier run, null if there is none
   */
  static boolean isSlower(double now, @Nullable Double kept, boolean sameProcessor) {
    return kept != null && now < kept / (sameProcessor ? SLOWER : SLOWER_ELSEWHERE);
  }

  /** Number of ratios that moved by more than {@link #MOVED}. */
  int moved() {
    return moved;
  }
}
