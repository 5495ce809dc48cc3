package io.tsdbsuite.rollup.it;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdClient;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/** Points of every kind that OpenTSDB stores, written through a real TSD. */
final class CorrectnessData {
  /** First hour of the data, seconds since the epoch: 2025-11-18T22:00:00Z. */
  static final long START = 1763503200;

  /** First hour of the window that is rolled up; two hours of data lie before it. */
  static final long FROM = START + 2 * 3600;

  /** End of the window; two hours of data lie behind it. */
  static final long TO = FROM + 6 * 3600;

  private static final long END = TO + 2 * 3600;
  private static final long DAY = 24 * 3600;
  private static final int BATCH = 2000;

  private final TsdClient tsd;
  private final List<DataPoint> points = new ArrayList<>();
  private final SortedSet<String> metrics = new TreeSet<>();

  private boolean mixedInstants = true;

  CorrectnessData(TsdClient tsd) {
    this.tsd = tsd;
  }

  /** Leaves out rows with seconds and milliseconds, on which a date-tiered TSD can fail. */
  CorrectnessData withoutMixedInstants() {
    mixedInstants = false;
    return this;
  }

  SortedSet<String> metrics() {
    return metrics;
  }

  private void add(String metric, long timestamp, Object value, String... tags) {
    Map<String, String> map =
        tags.length == 2 ? Map.of(tags[0], tags[1]) : Map.of(tags[0], tags[1], tags[2], tags[3]);
    points.add(new DataPoint(metric, timestamp, value, map));
    metrics.add(metric);
  }

  private void write() {
    tsd.put(points, BATCH);
    points.clear();
  }

  /** The bulk: rows of all sizes, types, widths and offsets. */
  void writeFirst() {
    numbers();
    offsets();
    rowSizes();
    names();
    sameInstant(1L, 1L);
    rewrites(5L);
    toDelete();
    days();
    write();
  }

  /** What comes later, with a newer cell timestamp, after a flush. */
  void writeLater() {
    sameInstant(7L, 9.25);
    rewrites(5.5);
    for (int series = 0; series < 3; series++) {
      add("t.late", FROM + 17 + series, 1000L + series, "host", "h" + series);
    }
    write();
  }

  private void numbers() {
    List<Object> values =
        List.of(
            0L,
            -1L,
            127L,
            -128L,
            32_767L,
            -32_768L,
            2_147_483_647L,
            -2_147_483_648L,
            9_007_199_254_740_993L,
            -9_007_199_254_740_993L,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            0.5,
            -1.25,
            0.1,
            1e300,
            -1e-300,
            3.4e38,
            "-0.0",
            4.9e-324);
    for (int hour = 0; START + hour * 3600L < END; hour++) {
      for (int i = 0; i < values.size(); i++) {
        long time = START + hour * 3600L + i * 7L;
        add("t.each", time, values.get(i), "i", "v" + i);
        // The huge ones alone would hide the others in a sum.
        Object value = values.get((i + hour) % values.size());
        if (i % 2 == hour % 2) {
          add("t.mixed", time, value, "host", "mixed");
        }
      }
    }
  }

  private void offsets() {
    for (long offset : new long[] {0, 1, 79, 80, 81, 87, 95, 96, 3598, 3599}) {
      for (long hour = START; hour < END; hour += 3600) {
        add("t.offset.alone", hour + offset, offset, "offset", "o" + offset);
        add("t.offset.all", hour + offset, offset * 1.5, "host", "a");
        add("t.offset.ms", (hour + offset) * 1000 + offset % 1000, offset, "offset", "o" + offset);
      }
    }
    add("t.offset.ms", FROM * 1000 + 3_599_999, 3L, "offset", "last");
  }

  private void rowSizes() {
    Random random = Seed.random();
    for (int i = 0; i < 60; i++) {
      add("t.size", FROM + i * 60L, (long) random.nextInt(100), "points", "60");
    }
    for (int i = 0; i < 3600; i++) {
      add("t.size", FROM + 3600 + i, random.nextInt(1000) / 8.0, "points", "3600");
    }
    for (int i = 0; i < 5000; i++) {
      add("t.size", FROM * 1000 + i * 719L, (long) random.nextInt(), "points", "5000");
    }
    add("t.size", FROM, 1L, "points", "1");
  }

  private void names() {
    StringBuilder latin = new StringBuilder();
    for (char c = 0xa1; c <= 0xff; c++) {
      if (Character.isLetter(c)) {
        latin.append(c);
      }
    }
    String ascii = "ABCxyz019-_./";
    add("t.name." + ascii, FROM + 5, 3L, ascii, ascii);
    add("t.name." + latin, FROM + 5, 4L, latin.toString(), latin.toString(), "k", "plain");
    add("t.name." + latin, FROM + 7205, 4.5, latin.toString(), latin.toString(), "k", "plain");
  }

  /** A second and a millisecond that mean the same instant collide. */
  private void sameInstant(Object seconds, Object millis) {
    if (!mixedInstants) {
      return;
    }
    boolean first = seconds.equals(millis);
    for (long hour = FROM; hour < TO; hour += 3600) {
      if (first) {
        add("t.instant", hour + 100, seconds, "first", "seconds");
        add("t.instant", (hour + 100) * 1000, millis, "first", "millis");
      } else {
        add("t.instant", (hour + 100) * 1000, millis, "first", "seconds");
        add("t.instant", hour + 100, seconds, "first", "millis");
      }
      add("t.instant", (hour + 100) * 1000 + 1, 3L, "first", "seconds");
    }
  }

  /** The same second again with a value of another type. */
  private void rewrites(Object value) {
    for (long hour = FROM; hour < TO; hour += 3600) {
      for (int i = 0; i < 20; i++) {
        add("t.rewrite", hour + i * 30L, value, "host", "r");
      }
      add("t.rewrite", hour + 900, 77L, "host", "r");
    }
  }

  /** Three days, of which the one in the middle begins with the window. */
  private void days() {
    for (long day = FROM - DAY; day < FROM + 2 * DAY; day += DAY) {
      add("t.day", day + 13 * 3600 + 17 * 60 + 5, 7L, "kind", "one-point-a-day");
      add("t.day", day, 0.1, "kind", "both-ends");
      add("t.day", (day + DAY) * 1000 - 1, 0.2, "kind", "both-ends");
      for (int hour = 0; hour < 24; hour++) {
        long time = day + hour * 3600L;
        // Sums that depend on the order of what is added.
        add("t.day", time + 59, hour % 2 == 0 ? 1e16 : -1e16, "kind", "hourly");
        add("t.day", time + 61, 0.1 * hour, "kind", "hourly");
        add("t.day", time + 3599, 1L, "kind", "hourly");
      }
    }
  }

  private void toDelete() {
    for (long hour = START; hour < END; hour += 3600) {
      for (int i = 0; i < 10; i++) {
        add("t.delete", hour + i * 60L, (long) i, "what", "cell");
        add("t.delete", hour + i * 60L, (long) i, "what", "row");
      }
    }
  }
}
