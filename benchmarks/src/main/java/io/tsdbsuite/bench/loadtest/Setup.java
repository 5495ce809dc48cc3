package io.tsdbsuite.bench.loadtest;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One configuration of a TSD.
 *
 * @param id name of its TSD and of its tables
 * @param name for reports
 * @param keys configuration keys beyond the common ones
 * @param share share of the full load that this set-up can process in the same time as the other
 *     set-ups
 */
record Setup(String id, String name, Map<String, String> keys, double share) {
  static final Setup OFF = new Setup("off", "off", Map.of(), 1);

  private static final String REALTIME = "tsd.core.meta.enable_realtime_ts";
  private static final String TRACK = "tsd.core.meta.enable_tsuid_tracking";
  private static final String COUNT = "tsd.core.meta.enable_tsuid_incrementing";

  /** Counting without the plugin: the TSD increments with a call for each point. */
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

  /** A copy with another share, a separate TSD and separate tables. */
  Setup as(String otherId, double otherShare) {
    return new Setup(otherId, name, keys, otherShare);
  }

  /** Whether this is the reference of the comparison. */
  boolean isOff() {
    return keys.isEmpty();
  }

  /** Whether the limit of CPU relative to off applies, or this is off. */
  boolean isCompared() {
    return isOff() || hasPlugin();
  }

  boolean hasPlugin() {
    return keys.containsKey("tsd.core.meta.cache.plugin");
  }

  /** The keys that switch its work for each point on and off in a running TSD. */
  List<String> switches() {
    return Stream.of(TRACK, COUNT, REALTIME).filter(keys::containsKey).toList();
  }

  /** Whether its counters hold the number of written points. */
  boolean counts() {
    return keys.containsKey(COUNT);
  }

  /** Whether its TSD makes an unbatched call to HBase per point. */
  boolean callsForEachPoint() {
    return counts() && !hasPlugin();
  }

  String dataTable() {
    return "tsdb-" + id;
  }

  String metaTable() {
    return "tsdb-meta-" + id;
  }

  /** The complete configuration of its TSD. */
  Map<String, String> conf() {
    Map<String, String> conf = new TreeMap<>(keys);
    conf.put("tsd.mode", "rw");
    conf.put("tsd.http.rpc.plugins", "io.tsdbsuite.bench.stock.StoredPlugin");
    conf.put("tsd.storage.hbase.data_table", dataTable());
    conf.put("tsd.storage.hbase.meta_table", metaTable());
    // asynchbase's default; the testkit's value suits tests that wait for each point.
    conf.put("hbase.rpcs.buffered_flush_interval", "1000");
    return conf;
  }
}
