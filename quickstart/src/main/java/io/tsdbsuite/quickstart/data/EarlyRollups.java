package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A series whose rollups go on after the split point, which the job does only with {@code
 * --hold-back}. It serves to observe the TSD's responses in this case. One point a minute, always
 * 1.
 */
public final class EarlyRollups {
  /** The metric. */
  public static final String METRIC = "split.early";

  private static final int HOUR = 3600;
  private static final int STEP = 60;
  private static final Map<String, String> TAGS = Map.of("host", "edge001");

  private EarlyRollups() {}

  /**
   * Writes points and hourly sums through the TSD.
   *
   * @param tsd writes them
   * @param from first hour
   * @param rollupTo last hour with a rollup, exclusive
   * @param to last hour with points, exclusive
   */
  public static void write(TsdClient tsd, long from, long rollupTo, long to) {
    List<DataPoint> points = new ArrayList<>();
    for (long time = from; time < to; time += STEP) {
      points.add(new DataPoint(METRIC, time, 1L, TAGS));
    }
    tsd.put(points, points.size());
    for (long hour = from; hour < rollupTo; hour += HOUR) {
      tsd.putRollup(new DataPoint(METRIC, hour, (double) HOUR / STEP, TAGS), "1h", "sum");
    }
  }
}
