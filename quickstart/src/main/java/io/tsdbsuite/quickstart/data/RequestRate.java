package io.tsdbsuite.quickstart.data;

import io.tsdbsuite.format.row.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Requests a second of a fleet of edge servers, one point every ten seconds: a wave a day with its
 * peak in the afternoon, less at weekends, noise, and now and then an hour of trouble. A third of
 * the servers reports integers, a third floats of 4 bytes (whole 64ths), a third doubles (whole
 * hundredths). The same server and hour have the same points in every run.
 *
 * @param series number of servers, 1..999
 */
public record RequestRate(int series) implements HourlyPoints {
  /** The metric. */
  public static final String METRIC = "edge.requests";

  /** Seconds from point to point. */
  public static final int STEP_SECONDS = 10;

  /** Points of one series in one hour. */
  public static final int POINTS_PER_HOUR = 3600 / STEP_SECONDS;

  private static final int HOUR = 3600;
  private static final int DAY = 86400;
  private static final int DAYS_OF_WEEK = 7;
  private static final double PEAK_OF_DAY = 15 / 24.0;
  private static final double WEEKEND = 0.7;
  private static final int TROUBLE_ONE_HOUR_IN = 97;
  private static final double FLOAT_STEPS = 64;
  private static final double DOUBLE_STEPS = 100;

  /** The wave of a day, a value for each point. */
  private static final double[] WAVE = wave();

  private static double[] wave() {
    double[] wave = new double[DAY / STEP_SECONDS];
    for (int i = 0; i < wave.length; i++) {
      double timeOfDay = (double) i / wave.length;
      wave[i] = 1 + 0.6 * Math.cos(2 * Math.PI * (timeOfDay - PEAK_OF_DAY));
    }
    return wave;
  }

  @Override
  public String metric() {
    return METRIC;
  }

  @Override
  public Map<String, String> tags(int server) {
    Map<String, String> tags = new TreeMap<>();
    tags.put("dc", server % 3 == 0 ? "Zürich" : "dublin-" + server % 3);
    tags.put("host", host(server));
    return tags;
  }

  /** The tag {@code host} of a server, counted from 0. */
  public String host(int server) {
    return String.format("edge%03d", server + 1);
  }

  @Override
  public List<Number> hour(int server, long hour) {
    SplittableRandom random = new SplittableRandom(hour * 1009 + server);
    boolean weekend = Math.floorMod(Math.floorDiv(hour, DAY) + 3, DAYS_OF_WEEK) >= 5;
    boolean trouble = random.nextInt(TROUBLE_ONE_HOUR_IN) == 0;
    double size = (300 + 20.0 * (server % 11)) * (weekend ? WEEKEND : 1);
    int first = (int) (hour % DAY) / STEP_SECONDS;
    List<Number> points = new ArrayList<>(POINTS_PER_HOUR);
    for (int i = 0; i < POINTS_PER_HOUR; i++) {
      double noise = 1 + 0.12 * (random.nextDouble() + random.nextDouble() - 1);
      double value = size * WAVE[first + i] * noise * (trouble && i % 5 != 0 ? 0.3 : 1);
      points.add(reported(server, value));
    }
    return points;
  }

  private static Number reported(int server, double value) {
    return switch (server % 3) {
      case 0 -> Math.round(value);
      case 1 -> Math.round(value * FLOAT_STEPS) / FLOAT_STEPS;
      default -> Math.round(value * DOUBLE_STEPS) / DOUBLE_STEPS;
    };
  }

  /** Number of points of all series between two whole hours, seconds since the epoch. */
  public long points(long from, long to) {
    return (to - from) / STEP_SECONDS * series;
  }

  /** The value of a point of a server as a TSD stores it. */
  static byte[] stored(int server, Number value) {
    if (value instanceof Long integer) {
      return Values.encodeInteger(integer);
    }
    return server % 3 == 1
        ? Values.encodeFloat(value.floatValue())
        : Values.encodeDouble(value.doubleValue());
  }

  /** Hours from one time to another, their first seconds. */
  static long[] hours(long from, long to) {
    return LongStream.iterate(from, hour -> hour < to, hour -> hour + HOUR).toArray();
  }
}
