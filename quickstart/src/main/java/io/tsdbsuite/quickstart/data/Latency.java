package io.tsdbsuite.quickstart.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Milliseconds that a request takes, of the first edge servers: lognormal, more in the afternoon,
 * and one request in fifty takes several times as long, which an average hides.
 */
public record Latency() implements HourlyPoints {
  /** The metric. */
  public static final String METRIC = "edge.latency";

  private static final int SERIES = 2;
  private static final double DAY = 86400;
  private static final double PEAK_OF_DAY = 15 / 24.0;
  private static final double SIGMA = 0.35;
  private static final int SLOW_ONE_IN = 50;
  private static final double HUNDREDTHS = 100;

  @Override
  public String metric() {
    return METRIC;
  }

  @Override
  public int series() {
    return SERIES;
  }

  @Override
  public Map<String, String> tags(int number) {
    return new RequestRate(SERIES).tags(number);
  }

  @Override
  public List<Number> hour(int number, long hour) {
    SplittableRandom random = new SplittableRandom(hour * 1013 + number);
    double load = 1 + 0.6 * Math.cos(2 * Math.PI * (hour % DAY / DAY - PEAK_OF_DAY));
    List<Number> points = new ArrayList<>(RequestRate.POINTS_PER_HOUR);
    for (int i = 0; i < RequestRate.POINTS_PER_HOUR; i++) {
      double slow = random.nextInt(SLOW_ONE_IN) == 0 ? 4 + 8 * random.nextDouble() : 1;
      double millis = (12 + 5 * number) * load * slow * Math.exp(SIGMA * random.nextGaussian());
      points.add(Math.round(millis * HUNDREDTHS) / HUNDREDTHS);
    }
    return points;
  }
}
