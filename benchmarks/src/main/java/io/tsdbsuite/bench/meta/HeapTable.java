package io.tsdbsuite.bench.meta;

import io.tsdbsuite.bench.measure.Aims;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Heap per series of all implementations and shapes. */
final class HeapTable {
  private static final int METRICS = 1000;
  private static final int MANY_METRICS = 50_000;
  private static final int MILLION = 1_000_000;

  private HeapTable() {}

  /** Measures and returns the table. */
  static String run(double scale, Aims aims) throws IOException, InterruptedException {
    Shape many = scaled(MILLION, MANY_METRICS, scale);
    List<Shape> shapes =
        List.of(scaled(MILLION, METRICS, scale), scaled(5 * MILLION, METRICS, scale), many);
    StringBuilder table =
        new StringBuilder(
            """
| Series | Metrics | Suite, counting: bytes per series (its own estimate) | Suite, tracking | Plain Caffeine, counting | Published way |
| --- | --- | --- | --- | --- | --- |
""");
    double counting = 0;
    double tracking = 0;
    for (Shape shape : shapes) {
      HeapUse count = HeapRuns.use(WayKind.COUNT, shape);
      HeapUse track = HeapRuns.use(WayKind.TRACK, shape);
      HeapUse caffeine = HeapRuns.use(WayKind.CAFFEINE, shape);
      HeapUse published = HeapRuns.use(WayKind.PUBLISHED, shape);
      if (shape.equals(many)) {
        aims.atMost(
            "heap per series, counting, 20 series a metric", " bytes", 60, count.measured());
      } else {
        counting = Math.max(counting, count.measured());
        tracking = Math.max(tracking, track.measured());
      }
      table.append(
          String.format(
              Locale.ROOT,
              "| %,d | %,d | %.1f (%.1f) | %.1f (%.1f) | %.1f | %.1f |%n",
              shape.series(),
              shape.metrics(),
              count.measured(),
              count.estimated(),
              track.measured(),
              track.estimated(),
              caffeine.measured(),
              published.measured()));
    }
    aims.atMost("heap per series, counting", " bytes", 36, counting);
    aims.atMost("heap per series, tracking", " bytes", 26, tracking);
    return table.toString();
  }

  private static Shape scaled(int series, int metrics, double scale) {
    return new Shape((int) (series * scale), Math.max(1, (int) (metrics * scale)));
  }
}
