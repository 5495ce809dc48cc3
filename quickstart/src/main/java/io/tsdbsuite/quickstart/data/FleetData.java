package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Points as a small fleet would write them through a TSD: one a minute for each series, integers of
 * several widths and doubles. The same arguments give the same points.
 *
 * @param from first second, inclusive, since the epoch
 * @param to last second, exclusive
 */
public record FleetData(long from, long to) {
  /** The metrics. */
  public static final List<String> METRICS =
      List.of("web.requests", "web.latency.ms", "sys.cpu.user", "sys.disk.free");

  private static final int HOUR = 3600;
  private static final int HOSTS = 12;
  private static final int STEP_SECONDS = 60;
  private static final double TWO_PI = 2 * Math.PI;
  private static final double DAY_SECONDS = 86400;

  /** Number of series. */
  public static int series() {
    return METRICS.size() * HOSTS;
  }

  /** Number of points. */
  public long points() {
    return (to - from) / STEP_SECONDS * series();
  }

  /** Writes all points through a TSD. */
  public void write(TsdClient tsd) {
    // One thread for each metric keeps the TSD busy while the next request is prepared.
    METRICS.parallelStream()
        .forEach(
            metric -> {
              for (long hour = from; hour < to; hour += HOUR) {
                tsd.put(hour(metric, hour), HOUR);
              }
            });
  }

  /** The points of one metric in one hour, all hosts. */
  private static List<DataPoint> hour(String metric, long hour) {
    SplittableRandom random = new SplittableRandom(metric.hashCode() * 31L + hour);
    List<DataPoint> points = new ArrayList<>(HOSTS * HOUR / STEP_SECONDS);
    for (int host = 0; host < HOSTS; host++) {
      Map<String, String> tags =
          Map.of(
              "host", "host" + (100 + host), "dc", host % 3 == 0 ? "Zürich" : "dublin-" + host % 3);
      for (long time = hour; time < hour + HOUR; time += STEP_SECONDS) {
        points.add(new DataPoint(metric, time, value(metric, host, time, random), tags));
      }
    }
    return points;
  }

  private static Object value(String metric, int host, long time, SplittableRandom random) {
    double daily = 1 + Math.sin(TWO_PI * time / DAY_SECONDS);
    return switch (metric) {
      case "web.requests" -> Math.round(daily * 500 + random.nextInt(200));
      case "web.latency.ms" -> 12.5 + daily * host + random.nextDouble();
      case "sys.cpu.user" -> random.nextInt(4) == 0 ? (Object) 50L : random.nextDouble() * 100;
      case "sys.disk.free" -> 4_000_000_000_000L - time * 1000L - random.nextLong(1L << 30);
      default -> throw new IllegalArgumentException("no such metric: " + metric);
    };
  }
}
