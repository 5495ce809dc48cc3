package io.tsdbsuite.bench.meta;

import io.tsdbsuite.bench.measure.JvmFork;
import io.tsdbsuite.bench.measure.KernelRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** CPU of the steps of a point, and of points of new series. */
final class PointTable {
  private static final int MAX_SERIES = 1_000_000;

  private PointTable() {}

  /** Measures and returns both tables. */
  static String run(double scale) throws IOException, InterruptedException {
    int maxSeries = Math.max(1, (int) (MAX_SERIES * scale));
    String classPath = "target/classes:" + Files.readString(Path.of("target", "tsd-classpath.txt"));
    KernelRun run =
        new JvmFork(classPath, Path.of("target", "bench-meta-point.log"))
            .run(List.of(), PointKernel.class.getName(), List.of(Integer.toString(maxSeries)));
    String text =
        String.format(
            Locale.ROOT,
            """
| %,d series, a write in 240 points | ns a point |
| --- | --- |
| TSD: TSUID of the row key, before it calls the plugin | %.1f |
| plugin, tracking, without the RPC | %.1f |
| plugin, counting, without the RPC | %.1f |
| reading the JVM's clock, which the plugin does not do for each point | %.1f |

| Points of new series, full cache of %,d | Suite, counting: ns a point | Plain Caffeine | Published way |
| --- | --- | --- | --- |
| 20 series a metric | %.0f | %.0f | %.0f |
| 1 series a metric | %.0f | %.0f | %.0f |
""",
            PointKernel.SERIES,
            run.get("tsuid"),
            run.get("track"),
            run.get("count"),
            run.get("clock"),
            maxSeries,
            run.get("new.20." + WayKind.COUNT),
            run.get("new.20." + WayKind.CAFFEINE),
            run.get("new.20." + WayKind.PUBLISHED),
            run.get("new.1." + WayKind.COUNT),
            run.get("new.1." + WayKind.CAFFEINE),
            run.get("new.1." + WayKind.PUBLISHED));
    System.out.print(text);
    return text;
  }
}
