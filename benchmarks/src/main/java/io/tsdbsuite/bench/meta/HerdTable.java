package io.tsdbsuite.bench.meta;

import io.tsdbsuite.bench.measure.Aims;
import io.tsdbsuite.bench.meta.HerdSimulation.Herd;
import java.util.Locale;

/** Peaks of meta writes with the suite's cache and with the published plugin. */
final class HerdTable {
  private static final int SERIES = 100_000;

  private HerdTable() {}

  /** Runs the simulations and returns the table. */
  static String run(double scale, Aims aims) {
    Shape shape = Shape.of((int) (SERIES * scale));
    Herd suite = HerdSimulation.run(WayKind.COUNT, shape);
    Herd caffeine = HerdSimulation.run(WayKind.CAFFEINE, shape);
    Herd published = HerdSimulation.run(WayKind.PUBLISHED, shape);
    aims.atMost("peak over mean of meta writes", "x", 2, suite.ratio());
    String table =
        """
        | %,d series in step, hours 2 to %d | Most writes in %d s | Mean | Peak over mean |
        | --- | --- | --- | --- |
        """
                .formatted(shape.series(), HerdSimulation.HOURS, MissSimulation.INTERVAL)
            + row("Suite", suite)
            + row("Plain Caffeine", caffeine)
            + row("Published way", published);
    System.out.print(table);
    return table;
  }

  private static String row(String name, Herd herd) {
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,.0f | %.1fx |%n",
        name,
        herd.peak(),
        herd.mean(),
        herd.ratio());
  }
}
