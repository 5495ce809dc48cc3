package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdClient;
import java.util.ArrayList;
import java.util.List;

/** Writes the last hours of {@link RequestRate} through a TSD, point by point. */
public final class LiveWriter {
  private static final int POINTS_PER_REQUEST = 3600;

  private LiveWriter() {}

  /**
   * Writes them.
   *
   * @param tsd writes them
   * @param rate the points
   * @param from first second, a whole hour
   * @param to last second, exclusive
   * @return number of points
   */
  public static long write(TsdClient tsd, RequestRate rate, long from, long to) {
    List<DataPoint> points = new ArrayList<>();
    for (long hour : RequestRate.hours(from, to)) {
      for (int server = 0; server < rate.series(); server++) {
        long time = hour;
        for (Number value : rate.hour(server, hour)) {
          if (time < to) {
            points.add(new DataPoint(RequestRate.METRIC, time, value, rate.tags(server)));
          }
          time += RequestRate.STEP_SECONDS;
        }
      }
    }
    tsd.put(points, POINTS_PER_REQUEST);
    return points.size();
  }
}
