package io.tsdbsuite.meta.config;

import io.tsdbsuite.metrics.plugin.ConfigException;
import io.tsdbsuite.metrics.plugin.Keys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The plugin's settings; immutable. Explained in docs/tsuid-ratelimiter.md. */
public final class MetaCacheConfig {
  /** Prefix of all keys, as in the published plugin. */
  public static final String PREFIX = "tsd.meta.cache.";

  /** The longest TTL with which last-point lookups find the right hour, seconds. */
  public static final int LAST_POINT_TTL = 3600;

  private static final String NAME = "tsuid-ratelimiter";
  private static final String TRACKING = "tsd.core.meta.enable_tsuid_tracking";
  private static final String REALTIME_TS = "tsd.core.meta.enable_realtime_ts";

  private static final int DAY = 86_400;
  private static final int MAX_TTL = 30 * DAY;
  private static final int LONGEST_SWEEP = 60;

  private final int maxSize;
  private final int ttlSeconds;
  private final Mode mode;
  private final boolean createTsMeta;
  private final int maxRpcsInFlight;
  private final int answerTimeoutSeconds;
  private final int backoffSeconds;
  private final int maxNewSeriesPerHour;
  private final int maxOwedSeries;
  private final int shutdownTimeoutSeconds;

  private MetaCacheConfig(Keys keys, boolean realtimeTs) {
    maxSize = keys.takeInt("max_size", 1, Integer.MAX_VALUE, 1_000_000);
    ttlSeconds = keys.takeInt("ttl_seconds", 1, MAX_TTL, LAST_POINT_TTL);
    String word = keys.takeWord("mode", "track", "track", "count");
    mode = Mode.valueOf(word.toUpperCase(Locale.ROOT));
    String create = keys.takeWord("create_tsmeta", "auto", "auto", "true", "false");
    createTsMeta = create.equals("true") || (create.equals("auto") && realtimeTs);
    maxRpcsInFlight = keys.takeInt("max_rpcs_in_flight", 1, 1_000_000, 1000);
    answerTimeoutSeconds = keys.takeInt("answer_timeout_seconds", 1, DAY, 60);
    backoffSeconds = keys.takeInt("backoff_seconds", 1, 3600, 10);
    maxNewSeriesPerHour = keys.takeInt("max_new_series_per_hour", 0, Integer.MAX_VALUE, 0);
    maxOwedSeries = keys.takeInt("max_owed_series", 0, 100_000_000, 100_000);
    shutdownTimeoutSeconds = keys.takeInt("shutdown_timeout_seconds", 1, DAY, 60);
    keys.refuseRest();
  }

  /**
   * Reads the keys of the plugin, and the TSD's keys that it depends on.
   *
   * @param conf the whole opentsdb.conf
   * @param hexNames whether this JVM has javax.xml.bind, with which OpenTSDB writes a UID as text
   * @throws ConfigException with all problems
   */
  public static MetaCacheConfig read(Map<String, String> conf, boolean hexNames) {
    List<String> problems = new ArrayList<>();
    MetaCacheConfig config =
        new MetaCacheConfig(new Keys(NAME, PREFIX, conf, problems), isOn(conf, REALTIME_TS));
    if (!isOn(conf, TRACKING)) {
      problems.add(TRACKING + " must be true, found " + found(conf, TRACKING));
    }
    if (config.createTsMeta && !hexNames) {
      problems.add(
          "TSMeta objects, which "
              + PREFIX
              + "create_tsmeta or "
              + REALTIME_TS
              + " ask for, need javax.xml.bind.DatatypeConverter, which Java 11 and later do not"
              + " have: put jaxb-api 2.3.1 on the TSD's class path");
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(NAME, problems);
    }
    return config;
  }

  /** All keys of the plugin, without {@link #PREFIX}, with their defaults as text; sorted. */
  static Map<String, String> keys() {
    Keys keys = new Keys(NAME, PREFIX, Collections.emptyMap(), new ArrayList<>());
    new MetaCacheConfig(keys, false);
    return keys.defaults();
  }

  private static String found(Map<String, String> conf, String key) {
    String value = conf.get(key);
    return value == null || value.trim().isEmpty() ? "nothing" : value.trim();
  }

  /** Whether OpenTSDB reads the value as true. */
  private static boolean isOn(Map<String, String> conf, String key) {
    String value = found(conf, key).toLowerCase(Locale.ROOT);
    return value.equals("true") || value.equals("1") || value.equals("yes");
  }

  /** Maximum number of series in the cache. */
  public int maxSize() {
    return maxSize;
  }

  /** Time between writes of a series with points, seconds. */
  public int ttlSeconds() {
    return ttlSeconds;
  }

  /** Time that the background thread takes for one sweep over the whole cache, seconds. */
  public int sweepSeconds() {
    return Math.max(1, Math.min(LONGEST_SWEEP, ttlSeconds / 4));
  }

  /** Data per series. */
  public Mode mode() {
    return mode;
  }

  /** Whether TSMeta objects are created for series without one. */
  public boolean createTsMeta() {
    return createTsMeta;
  }

  /** In-flight limit: series with an unanswered write. */
  public int maxRpcsInFlight() {
    return maxRpcsInFlight;
  }

  /** Time after which a write without an answer frees its place, seconds. */
  public int answerTimeoutSeconds() {
    return answerTimeoutSeconds;
  }

  /** Minimum wait before the retry of a failed write, seconds. */
  public int backoffSeconds() {
    return backoffSeconds;
  }

  /** Limit of new series added to the meta table per clock hour; 0 for no limit. */
  public int maxNewSeriesPerHour() {
    return maxNewSeriesPerHour;
  }

  /** Limit of the retry queue, series. */
  public int maxOwedSeries() {
    return maxOwedSeries;
  }

  /** Maximum wait for HBase at a shutdown, seconds. */
  public int shutdownTimeoutSeconds() {
    return shutdownTimeoutSeconds;
  }
}
