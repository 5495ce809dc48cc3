package io.tsdbsuite.meta;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.meta.config.MetaCacheConfig;
import io.tsdbsuite.meta.write.HBaseMetaTable;
import io.tsdbsuite.meta.write.MetaTracker;
import io.tsdbsuite.meta.write.MonotonicClock;
import io.tsdbsuite.metrics.UiWarning;
import io.tsdbsuite.metrics.plugin.PluginVersion;
import java.util.Map;
import java.util.WeakHashMap;
import net.opentsdb.core.TSDB;
import net.opentsdb.meta.MetaDataCache;
import net.opentsdb.stats.StatsCollector;
import net.opentsdb.uid.UniqueId.UniqueIdType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits writes to the meta table to one per series and TTL. Users set {@code
 * tsd.core.meta.cache.plugin} to the name of this class.
 *
 * <p>An invalid configuration stops the start of the TSD, with all problems in the message. After
 * the start, the plugin neither rejects a point nor waits for HBase.
 */
public final class TsuidRateLimiter extends MetaDataCache {
  private static final Logger LOG = LoggerFactory.getLogger(TsuidRateLimiter.class);
  private static final Map<TSDB, TsuidRateLimiter> RUNNING = new WeakHashMap<>();

  private volatile @Nullable MetaTracker tracker;

  /** Called by the TSD. */
  public TsuidRateLimiter() {}

  /**
   * Reads the configuration and starts the plugin; with {@code tsd.mode = ro} it does nothing.
   *
   * @throws IllegalArgumentException with all problems of the configuration
   */
  @Override
  public void initialize(TSDB tsdb) {
    UiWarning.log(tsdb, LOG);
    MetaCacheConfig config;
    try {
      config = MetaCacheConfig.read(tsdb.getConfig().getMap(), hasHexNames());
    } catch (IllegalArgumentException e) {
      // The TSD logs the exception only as the cause of a cause.
      LOG.error("{}", e.getMessage());
      throw e;
    }
    if (tsdb.getMode() == TSDB.OperationMode.READONLY) {
      LOG.warn("tsd.mode is ro: tsuid-ratelimiter writes no meta data");
      return;
    }
    if (config.ttlSeconds() > MetaCacheConfig.LAST_POINT_TTL) {
      LOG.warn(
          "tsd.meta.cache.ttl_seconds is {}: with more than {} /api/query/last reads an hour in"
              + " which a series may have had newer points since",
          config.ttlSeconds(),
          MetaCacheConfig.LAST_POINT_TTL);
    }
    MetaTracker made =
        new MetaTracker(
            config,
            TSDB.metrics_width(),
            new HBaseMetaTable(tsdb),
            uid -> tsdb.getUidName(UniqueIdType.METRIC, uid),
            new MonotonicClock());
    made.start();
    tracker = made;
    synchronized (RUNNING) {
      RUNNING.put(tsdb, this);
    }
  }

  private static boolean hasHexNames() {
    try {
      Class.forName("javax.xml.bind.DatatypeConverter", false, TSDB.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** The running plugin of a TSD; null if the TSD does not run this plugin. */
  static @Nullable TsuidRateLimiter of(TSDB tsdb) {
    synchronized (RUNNING) {
      return RUNNING.get(tsdb);
    }
  }

  /** Processes one point of a series; sends at most one RPC. */
  @Override
  public void increment(byte[] tsuid) {
    MetaTracker running = tracker;
    if (running != null) {
      running.increment(tsuid);
    }
  }

  /**
   * Flushes the cache. The TSD waits for the returned Deferred before it closes its HBase client.
   */
  @Override
  public Deferred<Object> shutdown() {
    synchronized (RUNNING) {
      RUNNING.values().remove(this);
    }
    MetaTracker running = tracker;
    // A TSD calls shutdown also after an invalid configuration has stopped its start.
    return running == null ? Deferred.fromResult(null) : running.close();
  }

  @Override
  public String version() {
    return PluginVersion.of(TsuidRateLimiter.class, "tsuid-ratelimiter");
  }

  @Override
  public void collectStats(StatsCollector collector) {
    MetaTracker running = tracker;
    if (running != null) {
      running.collectStats(collector);
    }
  }
}
