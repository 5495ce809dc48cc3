package io.tsdbsuite.bench.meta;

import io.tsdbsuite.bench.measure.Aims;
import java.util.Locale;

/** Misses of the suite's cache, of plain Caffeine and of the published plugin. */
final class MissTable {
  private static final int THOUSAND = 1000;
  private static final int PER_METRIC = 20;

  private final StringBuilder table =
      new StringBuilder(
          """
| Series report | Series | Metrics | max_size | Suite, misses | Plain Caffeine, misses | Published way, misses |
| --- | --- | --- | --- | --- | --- | --- |
""");

  private double exact;
  private double over;
  private double zipfAboveBaseline = Double.NEGATIVE_INFINITY;

  private MissTable() {}

  /** Runs the simulations and returns the table. */
  static String run(double scale, Aims aims) {
    MissTable misses = new MissTable();
    misses.shapes((int) (200_000 * scale), (int) (THOUSAND * scale), 0);
    misses.shapes((int) (THOUSAND * THOUSAND * scale), 0, PER_METRIC);
    aims.atMost("misses, in turn, max_size = series", " %", 0, 100 * misses.exact);
    aims.atMost("misses, in turn, series 20 % over max_size", " %", 30, 100 * misses.over);
    aims.atMost(
        "misses, zipf, 10 times over max_size: above the published way's",
        " points of %",
        0,
        100 * misses.zipfAboveBaseline);
    return misses.table.toString();
  }

  /**
   * Simulates shapes with a number of metrics, or with a number of series per metric if above 0.
   */
  private void shapes(int maxSeries, int metrics, int perMetric) {
    Shape fits = shape(maxSeries, metrics, perMetric);
    Shape tooMany = shape(maxSeries / 5 * 6, metrics, perMetric);
    exact = Math.max(exact, cyclic(fits, maxSeries));
    over = Math.max(over, cyclic(tooMany, maxSeries));
    // The full size of the larger shape would take minutes without a new result.
    int zipfSize = perMetric > 0 ? maxSeries / 10 : maxSeries;
    zipf(shape(10 * zipfSize, metrics, perMetric), zipfSize);
  }

  private static Shape shape(int series, int metrics, int perMetric) {
    return new Shape(series, Math.max(1, perMetric > 0 ? series / perMetric : metrics));
  }

  private double cyclic(Shape shape, int maxSeries) {
    double suite = MissSimulation.cyclic(WayKind.COUNT, shape, maxSeries);
    row(
        "in turn",
        shape,
        maxSeries,
        suite,
        MissSimulation.cyclic(WayKind.CAFFEINE, shape, maxSeries),
        MissSimulation.cyclic(WayKind.PUBLISHED, shape, maxSeries));
    return suite;
  }

  private void zipf(Shape shape, int maxSeries) {
    double suite = MissSimulation.zipf(WayKind.COUNT, shape, maxSeries);
    double published = MissSimulation.zipf(WayKind.PUBLISHED, shape, maxSeries);
    row(
        "zipf",
        shape,
        maxSeries,
        suite,
        MissSimulation.zipf(WayKind.CAFFEINE, shape, maxSeries),
        published);
    zipfAboveBaseline = Math.max(zipfAboveBaseline, suite - published);
  }

  private void row(
      String access, Shape shape, int maxSeries, double suite, double caffeine, double published) {
    String row =
        String.format(
            Locale.ROOT,
            "| %s | %,d | %,d | %,d | %.2f %% | %.2f %% | %.2f %% |%n",
            access,
            shape.series(),
            shape.metrics(),
            maxSeries,
            100 * suite,
            100 * caffeine,
            100 * published);
    System.out.print(row);
    table.append(row);
  }
}
