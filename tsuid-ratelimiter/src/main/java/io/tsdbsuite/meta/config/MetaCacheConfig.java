package io.tsdbsuite.meta.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The plugin's settings; immutable. Explained in docs/tsuid-ratelimiter.md. */
public final class MetaCacheConfig {
  /** What all keys of the plugin start with, as in the published plugin. */
  public static final String PREFIX = "tsd.meta.cache.";

  /** The longest TTL with which last-point lookups find the hour that they look for, seconds. */
  public static final int LAST_POINT_TTL = 3600;

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
   * Reads the keys of the plugin, and those of the TSD that it depends on.
   *
   * @param conf the whole opentsdb.conf
   * @param hexNames whether this JVM has javax.xml.bind, with which OpenTSDB writes a UID as text
   * @throws ConfigException with all problems
   */
  public static MetaCacheConfig read(Map<String, String> conf, boolean hexNames) {
    List<String> problems = new ArrayList<>();
    MetaCacheConfig config =
        new MetaCacheConfig(new Keys(PREFIX, conf, problems), isOn(conf, REALTIME_TS));
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
      throw new ConfigException(problems);
    }
    return config;
  }

  private static String found(Map<String, String> conf, String key) {
    String value = conf.get(key);
    return value == null || value.trim().isEmpty() ? "nothing" : value.trim();
  }

  /** What counts as true for OpenTSDB. */
  private static boolean isOn(Map<String, String> conf, String key) {
    String value = found(conf, key).toLowerCase(Locale.ROOT);
    return value.equals("true") || value.equals("1") || value.equals("yes");
  }

  /** Series that the cache holds at most. */
  public int maxSize() {
    return maxSize;
  }

  /** How long a series stays unwritten at most while it gets points, seconds. */
  public int ttlSeconds() {
    return ttlSeconds;
  }

  /** How long the background thread takes for one sweep over the whole cache, seconds. */
  public int sweepSeconds() {
    return Math.max(1, Math.min(LONGEST_SWEEP, ttlSeconds / 4));
  }

  /** What is kept per series. */
  public Mode mode() {
    return mode;
  }

  /** Whether TSMeta objects are made for series that have none. */
  public boolean createTsMeta() {
    return createTsMeta;
  }

  /** Series whose meta may be on its way to HBase at the same time. */
  public int maxRpcsInFlight() {
    return maxRpcsInFlight;
  }

  /** After how long a write without an answer no longer holds up others, seconds. */
  public int answerTimeoutSeconds() {
    return answerTimeoutSeconds;
  }

  /** How long a series waits at least after a failed write, seconds. */
  public int backoffSeconds() {
    return backoffSeconds;
  }

  /**
   * Series that are not in the meta table yet and may be added per clock hour; 0 for any number.
   */
  public int maxNewSeriesPerHour() {
    return maxNewSeriesPerHour;
  }

  /** Series that have left the cache, and whose counts HBase has not taken, at most. */
  public int maxOwedSeries() {
    return maxOwedSeries;
  }

  /** How long a shutdown waits for HBase, seconds. */
  public int shutdownTimeoutSeconds() {
    return shutdownTimeoutSeconds;
  }
}
