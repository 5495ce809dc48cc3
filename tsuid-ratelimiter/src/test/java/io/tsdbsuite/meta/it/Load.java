package io.tsdbsuite.meta.it;

import io.tsdbsuite.testkit.DataPoint;
import io.tsdbsuite.testkit.TsdServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Points of some series of one metric, each at the time of its writing: a last-point lookup reads
 * the hour in which the meta table was last written.
 */
final class Load {
  private final String metric;
  private final int series;
  private long last;

  Load(String metric, int series) {
    this.metric = metric;
    this.series = series;
  }

  /** One more point of each series. */
  synchronized List<DataPoint> round() {
    last = Math.max(last + 1, System.currentTimeMillis());
    List<DataPoint> points = new ArrayList<>();
    for (int n = 0; n < series; n++) {
      points.add(new DataPoint(metric, last, (long) n, Map.of("host", "h" + n)));
    }
    return points;
  }

  /** Writes rounds, and returns the number of points. */
  int write(TsdServer tsd, int rounds) {
    for (int n = 0; n < rounds; n++) {
      tsd.client().put(round());
    }
    return rounds * series;
  }

  /** The same with four writers at once. */
  int writeWithFour(TsdServer tsd, int roundsEach) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> writers = new ArrayList<>();
      for (int n = 0; n < 4; n++) {
        writers.add(threads.submit(() -> write(tsd, roundsEach)));
      }
      int points = 0;
      for (Future<Integer> writer : writers) {
        points += writer.get();
      }
      return points;
    } catch (ExecutionException e) {
      throw new AssertionError("a writer failed", e);
    } finally {
      threads.shutdown();
    }
  }
}
