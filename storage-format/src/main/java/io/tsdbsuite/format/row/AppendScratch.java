package io.tsdbsuite.format.row;

/** Reusable buffers that sort the points of an append cell. */
final class AppendScratch {
  private final PointSorter sorter = new PointSorter();
  private final PointBuffer sorted = new PointBuffer();

  /**
   * Sorts the points from {@code start} on and keeps, for each instant, the point added last.
   *
   * @return the number of points dropped
   */
  int sortLastWins(PointBuffer points, int start) {
    int n = points.size() - start;
    int[] order = sorter.sort(points, start, points.size(), null);
    sorted.clear();
    for (int i = 0; i < n; i++) {
      boolean last =
          i + 1 == n || points.offsetMillis(order[i]) != points.offsetMillis(order[i + 1]);
      if (last) {
        sorted.append(points, order[i]);
      }
    }
    points.truncate(start);
    for (int i = 0; i < sorted.size(); i++) {
      points.append(sorted, i);
    }
    return n - sorted.size();
  }
}
