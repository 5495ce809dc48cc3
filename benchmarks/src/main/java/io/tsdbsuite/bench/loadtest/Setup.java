package io.tsdbsuite.bench.loadtest;

import java.util.Map;
import java.util.TreeMap;

/**
 * One way to configure a TSD.
 *
 * @param id names its TSD and its tables
 * @param name for people
 * @param keys what it has beyond the others
 * @param share of the full load that it can take in the time of the others
 */
record Setup(String id, String name, Map<String, String> keys, double share) {
  static final Setup OFF = new Setup("off", "off", Map.of(), 1);

  private static final String REALTIME = "tsd.core.meta.enable_realtime_ts";
  private static final String TRACK = "tsd.core.meta.enable_tsuid_tracking";
  private static final String COUNT = "tsd.core.meta.enable_tsuid_incrementing";

  /** Without the plugin the TSD increments with a call for each point. */
  private static final double INCREMENTING_SHARE = 0.1;

  private static final Map<String, String> TRACKING_KEYS = Map.of(TRACK, "true");
  private static final Map<String, String> INCREMENTING_KEYS =
      Map.of(TRACK, "true", REALTIME, "true", COUNT, "true");

  static final Setup TRACKING = new Setup("tracking", "tracking", TRACKING_KEYS, 1);
  static final Setup INCREMENTING =
      new Setup("incrementing", "incrementing", INCREMENTING_KEYS, INCREMENTING_SHARE);

  /** Tracking by the plugin. */
  static Setup trackingPlugin(String id, int ttlSeconds) {
    return new Setup(id, "tracking + plugin", plugin(TRACKING_KEYS, "track", ttlSeconds), 1);
  }

  /** Counting by the plugin. */
  static Setup incrementingPlugin(String id, int ttlSeconds) {
    return new Setup(
        id, "incrementing + plugin", plugin(INCREMENTING_KEYS, "count", ttlSeconds), 1);
  }

  private static Map<String, String> plugin(Map<String, String> flags, String mode, int ttl) {
    Map<String, String> keys = new TreeMap<>(flags);
    keys.put("tsd.core.meta.cache.enable", "true");
    keys.put("tsd.core.meta.cache.plugin", "io.tsdbsuite.meta.TsuidRateLimiter");
    keys.put("tsd.meta.cache.mode", mode);
    keys.put("tsd.meta.cache.ttl_seconds", Integer.toString(ttl));
    return keys;
  }

  /** The same, with a TSD and tables of its own, and another share. */
  Setup as(String otherId, double otherShare) {
    return new Setup(otherId, name, keys, otherShare);
  }

  /** Whether it is what others are compared with. */
  boolean isOff() {
    return keys.isEmpty();
  }

  /** Whether it is to take no more CPU than off, or is off. */
  boolean isCompared() {
    return isOff() || hasPlugin();
  }

  boolean hasPlugin() {
    return keys.containsKey("tsd.core.meta.cache.plugin");
  }

  /** Whether its counters tell how many points were written. */
  boolean counts() {
    return keys.containsKey(COUNT);
  }

  /** Whether its TSD calls HBase for each point, outside of batches. */
  boolean callsForEachPoint() {
    return counts() && !hasPlugin();
  }

  String dataTable() {
    return "tsdb-" + id;
  }

  String metaTable() {
    return "tsdb-meta-" + id;
  }

  /** All that its TSD is configured with. */
  Map<String, String> conf() {
    Map<String, String> conf = new TreeMap<>(keys);
    conf.put("tsd.mode", "rw");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.bench.stored.StoredPlugin");
    conf.put("tsd.storage.hbase.data_table", dataTable());
    conf.put("tsd.storage.hbase.meta_table", metaTable());
    // asynchbase's own default; the testkit's is for tests that wait for each point.
    conf.put("hbase.rpcs.buffered_flush_interval", "1000");
    return conf;
  }
}
