package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.testkit.Await;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import net.opentsdb.stats.StatsCollector;

/** A tracker over a table in memory, with a clock that the test moves. */
final class Tracker {
  final FakeClock clock = new FakeClock();
  final MemoryTable table = new MemoryTable();
  final MetaTracker tracker;

  /** Keys without their prefix and values, by turns; tests ask for no TSMeta unless they say so. */
  Tracker(String... keysAndValues) {
    Map<String, String> conf = new TreeMap<>();
    conf.put("tsd.core.meta.enable_tsuid_tracking", "true");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put(MetaCacheConfig.PREFIX + keysAndValues[i], keysAndValues[i + 1]);
    }
    tracker =
        new MetaTracker(
            MetaCacheConfig.read(conf, true),
            Series.METRIC_WIDTH,
            table,
            uid -> Deferred.fromResult("metric-" + uid[uid.length - 1]),
            clock);
  }

  void points(byte[] tsuid, int count) {
    for (int n = 0; n < count; n++) {
      tracker.increment(tsuid);
    }
  }

  /** Seconds pass, each with its tick. */
  void pass(int count) {
    for (int n = 0; n < count; n++) {
      clock.advance(1);
      tracker.tick();
    }
  }

  /** Closes, and lets time pass until it is done. */
  void close() {
    boolean[] done = new boolean[1];
    tracker
        .close()
        .addBoth(
            result -> {
              synchronized (done) {
                done[0] = true;
              }
              return result;
            });
    Await.until(
        "the tracker to be closed",
        Duration.ofSeconds(30),
        () -> {
          clock.advance(1);
          synchronized (done) {
            return done[0];
          }
        });
  }

  /** All statistics: name and extra tag to value. */
  Map<String, Long> stats() {
    Map<String, Long> stats = new TreeMap<>();
    tracker.collectStats(
        new StatsCollector("tsd") {
          @Override
          public void record(String name, long value, String tag) {
            stats.put(tag == null ? name : name + " " + tag, value);
          }
        });
    return stats;
  }

  long stat(String name) {
    return stats().get("meta.cache." + name);
  }
}
