package io.tsdbsuite.system;

import io.tsdbsuite.testkit.DataPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * Two days of points from before the storm, which clients query while {@link ChaosLoads} rolls them
 * up. During the storm some points come late, through Kafka: {@link #allows} knows which answers
 * may have them already, and which must. Thread-safe.
 */
final class ChaosHistory {
  static final String METRIC = "chaos.old";
  static final int METRICS = 6;
  static final int HOSTS = 2;
  static final long FROM = ChaosIT.START - 2 * 86_400;
  static final long TO = ChaosIT.START;

  private static final int STEP = 60;

  /** Readers use a coverage for so long, docs/coverage.md: a mask that was stored before counts. */
  private static final long BOUND_MILLIS = 60_000;

  /** With more late points on their way any of {@code 2^n} values would be right. */
  private static final int MOST_PENDING = 8;

  private static final class Late {
    final long time;
    final long value;
    final long drawn = System.currentTimeMillis();
    boolean sent;
    long stored = Long.MAX_VALUE;

    Late(long time, long value) {
      this.time = time;
      this.value = value;
    }
  }

  private record Series(NavigableMap<Long, Long> points, List<Late> late) {}

  private final Random random;
  private final Map<String, Series> series = new TreeMap<>();
  private final List<Late> pending = new ArrayList<>();

  ChaosHistory(Random random) {
    this.random = random;
    for (int i = 0; i < METRICS * HOSTS; i++) {
      NavigableMap<Long, Long> points = new TreeMap<>();
      for (long time = FROM; time < TO; time += STEP) {
        points.put(time, value());
      }
      series.put(name(i / HOSTS, "h" + i % HOSTS), new Series(points, new ArrayList<>()));
    }
  }

  private static String name(int metric, String host) {
    return METRIC + metric + " " + host;
  }

  /** Two bytes: a rewrite goes to the same column. */
  private long value() {
    return 1000 + (long) random.nextInt(20_000);
  }

  /** The points from before the storm. */
  synchronized List<DataPoint> points() {
    List<DataPoint> all = new ArrayList<>();
    for (int i = 0; i < METRICS * HOSTS; i++) {
      String metric = METRIC + i / HOSTS;
      Map<String, String> tags = Map.of("host", "h" + i % HOSTS);
      series
          .get(name(i / HOSTS, "h" + i % HOSTS))
          .points
          .forEach((time, value) -> all.add(new DataPoint(metric, time, value, tags)));
    }
    return all;
  }

  /**
   * Adds a late point to messages: a new one, or one that replaces another.
   *
   * @param sent time of the message, seconds
   */
  synchronized void addLate(InputPoints messages, long sent) {
    int metric = random.nextInt(METRICS);
    String host = "h" + random.nextInt(HOSTS);
    long time = FROM + random.nextInt((int) (TO - FROM));
    if (random.nextBoolean()) {
      time -= time % STEP;
    }
    Late late = new Late(time, value());
    Series to = series.get(name(metric, host));
    if (to.late.stream().noneMatch(other -> other.time == late.time)) {
      to.late.add(late);
      pending.add(late);
      messages.add(
          metric % SystemStack.PARTITIONS,
          sent * 1000,
          InputPoints.point(METRIC + metric, host, time, late.value));
    }
  }

  /** The broker has all late points that were added. */
  synchronized void sent() {
    pending.forEach(late -> late.sent = true);
  }

  /** The TSD's group has committed all that was sent: the points are stored, and masked. */
  synchronized void committed() {
    long now = System.currentTimeMillis();
    pending.forEach(late -> late.stored = late.sent ? now : late.stored);
    pending.removeIf(late -> late.sent);
  }

  synchronized int latePoints() {
    return series.values().stream().mapToInt(each -> each.late.size()).sum();
  }

  /**
   * Whether an answer may have a value.
   *
   * @param from first second of the bucket
   * @param to end of the bucket, seconds
   * @param asked when the query was sent, milliseconds
   * @param answered when its answer was there, milliseconds
   */
  synchronized boolean allows(
      int metric,
      String host,
      long from,
      long to,
      String function,
      double value,
      long asked,
      long answered) {
    Series of = series.get(name(metric, host));
    if (of == null) {
      return false;
    }
    NavigableMap<Long, Long> certain = new TreeMap<>(of.points.subMap(from, true, to, false));
    List<Late> open = new ArrayList<>();
    for (Late late : of.late) {
      if (late.time >= from && late.time < to) {
        if (late.stored < asked - BOUND_MILLIS) {
          certain.put(late.time, late.value);
        } else if (late.drawn <= answered) {
          open.add(late);
        }
      }
    }
    if (open.size() > MOST_PENDING) {
      return true;
    }
    for (int some = 0; some < 1 << open.size(); some++) {
      NavigableMap<Long, Long> points = new TreeMap<>(certain);
      for (int i = 0; i < open.size(); i++) {
        if ((some & 1 << i) != 0) {
          points.put(open.get(i).time, open.get(i).value);
        }
      }
      if (of(points, function) == value) {
        return true;
      }
    }
    return false;
  }

  /** Sums are of integers: exact in any order. */
  private static double of(NavigableMap<Long, Long> points, String function) {
    var values = points.values().stream().mapToLong(Long::longValue).summaryStatistics();
    return switch (function) {
      case "sum" -> values.getSum();
      case "min" -> values.getMin();
      case "max" -> values.getMax();
      case "count" -> values.getCount();
      default -> (double) values.getSum() / values.getCount();
    };
  }
}
