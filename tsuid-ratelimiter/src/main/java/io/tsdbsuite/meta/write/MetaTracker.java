package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.meta.cache.CacheSettings;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.config.Mode;
import net.opentsdb.stats.StatsCollector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cache, and all that writes what it holds. Thread-safe. */
public final class MetaTracker {
  private static final Logger LOG = LoggerFactory.getLogger(MetaTracker.class);

  private final Seconds seconds;
  private final Counters counters = new Counters();
  private final SeriesCache cache;
  private final SeriesWriter writer;
  private final Housekeeping housekeeping;
  private final Closing closing;
  private final Ticker ticker;
  private final Stats stats;
  private final LimitedLog log;
  private Deferred<Object> closed;

  /**
   * Makes one that works on its own from {@link #start} on.
   *
   * @param config the settings
   * @param metricWidth bytes of a metric's UID
   * @param table where the meta goes
   * @param names of metrics, for what is told of new series
   * @param seconds the time
   */
  public MetaTracker(
      MetaCacheConfig config,
      int metricWidth,
      MetaTable table,
      MetricNames names,
      Seconds seconds) {
    this.seconds = seconds;
    this.log = new LimitedLog(LOG, seconds);
    boolean counting = config.mode() == Mode.COUNT;
    Owed owed = new Owed(config.maxOwedSeries());
    NewSeries newSeries =
        new NewSeries(new NameCache(names, metricWidth), seconds, config.maxNewSeriesPerHour());
    JobRunner runner =
        new JobRunner(
            table,
            counting ? new CountingWriter(table) : new TrackingWriter(table),
            new NewSeriesGuard(config.maxNewSeriesPerHour()),
            newSeries,
            seconds);
    // The cache is there before the settlement that its callback needs.
    Settlement[] later = new Settlement[1];
    cache =
        new SeriesCache(
            new CacheSettings(config.maxSize(), counting, metricWidth),
            (tsuid, points) -> later[0].owe(later[0].removed(tsuid, points)));
    Lag lag = new Lag();
    Settlement settlement = new Settlement(config, cache, owed, newSeries, counters, seconds, lag);
    later[0] = settlement;
    Window window = new Window(config.maxRpcsInFlight());
    Flights flights =
        new Flights(window, settlement, counters, seconds, config.answerTimeoutSeconds());
    writer = new SeriesWriter(config, cache, owed, runner, window, flights, settlement, lag);
    housekeeping =
        new Housekeeping(
            cache, counting, config.ttlSeconds(), writer, settlement, newSeries, seconds);
    closing =
        new Closing(
            cache,
            counting,
            owed,
            writer,
            settlement,
            counters,
            seconds,
            config.shutdownTimeoutSeconds());
    ticker = new Ticker(housekeeping, counters, seconds);
    stats = new Stats(cache, counting, counters, owed, newSeries, housekeeping, writer, lag);
  }

  /** Starts the background thread. */
  public void start() {
    ticker.start();
  }

  /** Takes one point of a series. Never throws and never waits. */
  public void increment(byte[] tsuid) {
    try {
      int now = seconds.now();
      int answer = cache.touch(tsuid, now);
      if (answer == SeriesCache.DUE) {
        writer.due(tsuid, now);
      } else if (answer == SeriesCache.CLOSED) {
        closing.late(tsuid);
      }
    } catch (RuntimeException | Error e) {
      counters.errors.increment();
      log.error("a point was stored, and its series' meta is not kept", e);
    }
  }

  /** One step of the background work, for those who did not {@link #start} it. */
  boolean tick() {
    return housekeeping.tick();
  }

  /**
   * Writes what is left. Calls back when it is written, or the time is over; never with an error.
   * Further calls wait for the first one.
   */
  public synchronized Deferred<Object> close() {
    Deferred<Object> answer = new Deferred<>();
    if (closed == null) {
      closed = new Deferred<>();
      close(closed);
    }
    closed.addCallback(
        result -> {
          answer.callback(null);
          return result;
        });
    return answer;
  }

  private void close(Deferred<Object> done) {
    closing.begin();
    Thread thread =
        new Thread(
            () -> {
              try {
                ticker.stop();
                closing.run();
              } catch (RuntimeException | Error e) {
                LOG.error("tsuid-ratelimiter did not stop as it should", e);
              } finally {
                done.callback(null);
              }
            },
            "tsuid-ratelimiter-stop");
    thread.setDaemon(true);
    thread.start();
  }

  /** Tells all statistics. */
  public void collectStats(StatsCollector collector) {
    stats.collect(collector, seconds.now());
  }
}
