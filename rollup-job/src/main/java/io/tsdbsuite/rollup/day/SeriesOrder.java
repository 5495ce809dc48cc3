package io.tsdbsuite.rollup.day;

/**
 * Sorts series by merging sorted runs. The new series of each hour form one run, so there are few
 * runs, and mostly only one. Avoids boxing.
 */
final class SeriesOrder {
  private final DayTable table;
  private int[] order;

  private SeriesOrder(DayTable table) {
    this.table = table;
    this.order = new int[table.size()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
  }

  /** All series of a table. */
  static int[] of(DayTable table) {
    SeriesOrder series = new SeriesOrder(table);
    if (series.endOfRun(0) < series.order.length) {
      series.sort();
    }
    return series.order;
  }

  private void sort() {
    int[] merged = new int[order.length];
    boolean sorted = false;
    while (!sorted) {
      int from = 0;
      int runs = 0;
      while (from < order.length) {
        int middle = endOfRun(from);
        int to = endOfRun(middle);
        merge(from, middle, to, merged);
        from = to;
        runs++;
      }
      int[] before = order;
      order = merged;
      merged = before;
      sorted = runs == 1;
    }
  }

  /** Returns the exclusive end of the run that begins at {@code from}. */
  private int endOfRun(int from) {
    int end = from;
    while (end < order.length && (end == from || table.compare(order[end - 1], order[end]) < 0)) {
      end++;
    }
    return end;
  }

  private void merge(int from, int middle, int to, int[] merged) {
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft =
          right == to || (left < middle && table.compare(order[left], order[right]) < 0);
      merged[i] = takeLeft ? order[left++] : order[right++];
    }
  }
}
