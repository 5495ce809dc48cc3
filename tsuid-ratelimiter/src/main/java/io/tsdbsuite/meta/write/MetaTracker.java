package io.tsdbsuite.meta.write;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.meta.cache.CacheSettings;
import io.tsdbsuite.meta.cache.SeriesCache;
import io.tsdbsuite.meta.cache.TouchResult;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.config.Mode;
import net.opentsdb.stats.StatsCollector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cache and its writers. Thread-safe. */
public final class MetaTracker {
  private static final Logger LOG = LoggerFactory.getLogger(MetaTracker.class);

  private final Clock clock;
  private final ApproximateClock pointClock;
  private final Counters counters = new Counters();
  private final SeriesCache cache;
  private final SeriesWriter writer;
  private final Maintenance maintenance;
  private final ShutdownFlush shutdownFlush;
  private final MaintenanceThread maintenanceThread;
  private final Stats stats;
  private final LimitedLog log;
  private @Nullable Deferred<Object> closed;

  /**
   * Assembles all parts; the background threads run after {@link #start}.
   *
   * @param config the settings
   * @param metricWidth bytes of a metric's UID
   * @param table the meta table
   * @param names of metrics, for log lines and statistics of new series
   * @param clock the time
   */
  public MetaTracker(
      MetaCacheConfig config, int metricWidth, MetaTable table, MetricNames names, Clock clock) {
    this.clock = clock;
    this.pointClock = new ApproximateClock(clock);
    this.log = new LimitedLog(LOG, clock);
    boolean counting = config.mode() == Mode.COUNT;
    Losses losses = new Losses(counters, clock);
    RetryQueue retryQueue = new RetryQueue(config.maxOwedSeries(), losses);
    NewSeries newSeries =
        new NewSeries(new NameCache(names, metricWidth), clock, config.maxNewSeriesPerHour());
    WriteRunner runner =
        new WriteRunner(
            table,
            counting ? new CountingWriter(table) : new TrackingWriter(table),
            new NewSeriesGuard(config.maxNewSeriesPerHour()),
            newSeries,
            clock);
    cache =
        new SeriesCache(
            new CacheSettings(config.maxSize(), counting, metricWidth),
            (tsuid, points) -> retryQueue.addOrLose(OwedSeries.removed(tsuid, points, counting)));
    Lag lag = new Lag();
    WriteCompletion completion =
        new WriteCompletion(config, cache, retryQueue, newSeries, counters, losses, clock, lag);
    InFlightLimit inFlightLimit = new InFlightLimit(config.maxRpcsInFlight());
    PendingWrites pendingWrites =
        new PendingWrites(
            inFlightLimit, completion, counters, clock, config.answerTimeoutSeconds());
    writer =
        new SeriesWriter(
            config, cache, retryQueue, runner, inFlightLimit, pendingWrites, completion, lag);
    maintenance = new Maintenance(config, cache, writer, completion, newSeries, clock);
    shutdownFlush =
        new ShutdownFlush(
            cache,
            counting,
            retryQueue,
            writer,
            completion,
            losses,
            counters,
            clock,
            config.shutdownTimeoutSeconds());
    maintenanceThread = new MaintenanceThread(maintenance, counters, clock);
    stats = new Stats(cache, counting, counters, retryQueue, newSeries, maintenance, writer, lag);
  }

  /** Starts the background threads. */
  public void start() {
    pointClock.start();
    maintenanceThread.start();
  }

  /** Takes one point of a series. Never throws and never blocks. */
  public void increment(byte[] tsuid) {
    try {
      int now = pointClock.now();
      TouchResult answer = cache.touch(tsuid, now);
      if (answer == TouchResult.DUE) {
        writer.due(tsuid, now);
      } else if (answer == TouchResult.CLOSED) {
        shutdownFlush.late(tsuid);
      }
    } catch (RuntimeException | Error e) {
      counters.errors.increment();
      log.error("a point was stored, and its series' meta is not kept", e);
    }
  }

  /** One step of the background work, for callers without {@link #start}. */
  boolean tick() {
    return maintenance.tick();
  }

  /**
   * Flushes. Calls back when all is written, or the time is over; never with an error. Further
   * calls wait for the first one.
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
    shutdownFlush.begin();
    Thread thread =
        new Thread(
            () -> {
              try {
                maintenanceThread.stop();
                shutdownFlush.run();
              } catch (RuntimeException | Error e) {
                LOG.error("tsuid-ratelimiter did not stop as it should", e);
              } finally {
                pointClock.stop();
                done.callback(null);
              }
            },
            "tsuid-ratelimiter-stop");
    thread.setDaemon(true);
    thread.start();
  }

  /** Records all statistics. */
  public void collectStats(StatsCollector collector) {
    stats.collect(collector, clock.now());
  }
}
