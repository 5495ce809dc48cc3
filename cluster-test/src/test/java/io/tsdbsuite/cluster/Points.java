package io.tsdbsuite.cluster;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdServer;
import io.tsdbsuite.testkit.rollup.RollupKey;
import io.tsdbsuite.testkit.rollup.RollupValues;
import io.tsdbsuite.testkit.rollup.TsdOracle;
import io.tsdbsuite.testkit.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** A day of points of three metrics, and what a TSD makes of them. */
final class Points {
  /** 2025-11-19, UTC; seconds. */
  static final long FROM = 1763510400L;

  static final long DAY = 24 * 3600;
  static final long TO = FROM + DAY;
  static final List<String> METRICS = List.of("cluster.a", "cluster.b", "cluster.c");

  private static final int SERIES = 4;
  private static final int STEP = 600;

  private Points() {}

  /** Draws points of every metric: whole numbers and fractions. */
  static List<DataPoint> drawn() {
    return drawn(Seed.random(), FROM);
  }

  /** Draws the points of the day that begins at a time, seconds. */
  static List<DataPoint> drawn(Random random, long from) {
    List<DataPoint> points = new ArrayList<>();
    for (String metric : METRICS) {
      for (int series = 0; series < SERIES; series++) {
        Map<String, String> tags = Map.of("host", "h" + series);
        for (long time = from; time < from + DAY; time += STEP) {
          Object value =
              random.nextBoolean()
                  ? (Object) (long) random.nextInt(100_000)
                  : (Object) random.nextDouble();
          points.add(new DataPoint(metric, time + random.nextInt(STEP), value, tags));
        }
      }
    }
    return points;
  }

  /** Rollups of the day from raw data. */
  static SortedMap<RollupKey, RollupValues> expected(TsdServer tsd, String interval) {
    return expected(tsd, interval, TO);
  }

  /** Rollups from raw data, of all days until a time, seconds. */
  static SortedMap<RollupKey, RollupValues> expected(TsdServer tsd, String interval, long to) {
    return answers(new TsdOracle(tsd.client()), interval, to);
  }

  /** Rollups of the day from the rollup tables. */
  static SortedMap<RollupKey, RollupValues> stored(TsdServer tsd, String interval) {
    return stored(tsd, interval, TO);
  }

  /** Rollups from the rollup tables, of all days until a time, seconds. */
  static SortedMap<RollupKey, RollupValues> stored(TsdServer tsd, String interval, long to) {
    return answers(TsdOracle.ofStoredRollups(tsd.client()), interval, to);
  }

  private static SortedMap<RollupKey, RollupValues> answers(
      TsdOracle oracle, String interval, long to) {
    SortedMap<RollupKey, RollupValues> all = new TreeMap<>();
    for (String metric : METRICS) {
      all.putAll(oracle.rollups(metric, FROM, to, interval));
    }
    return all;
  }
}
