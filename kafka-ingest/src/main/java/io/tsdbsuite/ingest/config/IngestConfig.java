package io.tsdbsuite.ingest.config;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.ingest.mask.MaskLimits;
import io.tsdbsuite.ingest.mask.RawTtl;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.metrics.plugin.ConfigException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The plugin's configuration in opentsdb.conf: the constructor has the name, the rule and the
 * default of each key. Immutable.
 */
public final class IngestConfig {
  /** The plugin classes that read the configuration, each with the key that it requires. */
  public enum Reader {
    /** The consumer groups. */
    GROUPS("groups", "must name at least one group"),
    /** The storage exception handler. */
    STORAGE_EXCEPTION_HANDLER("seh.topic.default", "must name a topic"),
    /** The publisher. */
    PUBLISHER("publisher.topic", "must name a topic");

    private final String key;
    private final String rule;

    Reader(String key, String rule) {
      this.key = key;
      this.rule = rule;
    }
  }

  /** Prefix of all keys, as in opentsdb-rpc-kafka. */
  public static final String PREFIX = "KafkaRpcPlugin.";

  private static final long DAY = 86_400_000;

  private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9_-]+");

  /** No group can have these names: other keys begin with them. */
  private static final Set<String> RESERVED =
      ImmutableSet.of("kafka", "seh", "publisher", "coverage");

  /** The groups in the order of the configuration; empty if only other plugin classes are used. */
  public final List<GroupConfig> groups;

  /** Settings of Kafka's clients for all groups; unmodifiable. */
  public final Map<String, String> kafka;

  // Defaults of all groups.
  final @Nullable String deadLetterTopic;
  final long requeueDelayMillis;
  final long readyLag;
  final long stallMillis;

  /**
   * Bounds of a message. The first {@link MessageLimits#maxProblems} bad elements of a message
   * become a dead letter each, the others one together.
   */
  public final MessageLimits messageLimits;

  /**
   * Topics of the storage exception handler by {@code default}, {@code raw}, {@code rollup}, {@code
   * histogram}, {@code preaggregate}; unmodifiable.
   */
  public final Map<String, String> requeueTopics;

  /** Maximum of points that the storage exception handler queues for Kafka. */
  public final int sehMaxQueued;

  /** Topic of published points; empty if it is not configured. */
  public final String publisherTopic;

  /** Maximum of points that the publisher queues for Kafka. */
  public final int publisherMaxQueued;

  /** Time for which a shutdown or rebalance waits for HBase, milliseconds. */
  public final long drainMillis;

  /** After which time an answer of HBase is overdue, milliseconds. */
  public final long ackTimeoutMillis;

  /** Whether rates may be changed over HTTP. */
  public final boolean ratesChange;

  /** TTL of the table of raw points, seconds, or {@link RawTtl#FOREVER}. */
  public final long rawTtlSeconds;

  /** The coverage table, in which late points are masked; empty if there is none. */
  public final String coverageTable;

  /** Bounds of the masks. */
  public final MaskLimits maskLimits;

  /** Topic of the requests for rollups of late points; empty if there are none. */
  public final String requestTopic;

  /** Maximum of these requests in a minute. */
  public final int requestsPerMinute;

  /**
   * Reads the keys.
   *
   * @param reader the plugin class that needs the configuration; its required keys must be set
   * @param problems receives one sentence for each problem
   */
  IngestConfig(Keys keys, Reader reader, List<String> problems) {
    if (!keys.isSet(reader.key)) {
      keys.problem(reader.key, reader.rule);
    }
    List<String> names = groupNames(keys);
    Map<String, String> settings = keys.takeAll("kafka.");
    Map<String, Map<String, String>> ofGroups = new LinkedHashMap<>();
    names.forEach(name -> ofGroups.put(name, Keys.removeBelow(name + ".", settings)));
    KafkaSettings.check(settings, keys, "kafka.");
    KafkaSettings.requireBrokers(settings, keys);
    kafka = Collections.unmodifiableMap(settings);
    deadLetterTopic = keys.take("deadLetterTopic");
    requeueDelayMillis = keys.takeLong("requeueDelay", 0, 365 * DAY, 300_000);
    readyLag = keys.takeLong("readyLag", 0, Long.MAX_VALUE, 10_000);
    stallMillis = keys.takeLong("stallTimeout", 1000, Long.MAX_VALUE, 300_000);
    messageLimits = messageLimits(keys);
    drainMillis = keys.takeLong("drainTimeout", 0, DAY, 30_000);
    ackTimeoutMillis = keys.takeLong("ackTimeout", 1000, DAY, 600_000);
    List<GroupConfig> all = new ArrayList<>();
    ofGroups.forEach(
        (name, own) -> {
          KafkaSettings.check(own, keys, "kafka." + name + ".");
          Keys ofGroup = new Keys(PREFIX + name + ".", problems);
          keys.takeAll(name + ".").forEach(ofGroup::add);
          all.add(new GroupConfig(name, ofGroup, this, own));
        });
    groups = Collections.unmodifiableList(all);
    Map<String, String> topics = new LinkedHashMap<>();
    for (String kind : new String[] {"default", "raw", "rollup", "histogram", "preaggregate"}) {
      String topic = keys.take("seh.topic." + kind);
      if (topic != null) {
        topics.put(kind, topic);
      }
    }
    requeueTopics = Collections.unmodifiableMap(topics);
    sehMaxQueued = keys.takeInt("seh.maxQueued", 1, Integer.MAX_VALUE, 100_000);
    publisherTopic = keys.takeOrEmpty("publisher.topic", "");
    publisherMaxQueued = keys.takeInt("publisher.maxQueued", 1, Integer.MAX_VALUE, 100_000);
    ratesChange = keys.takeBoolean("changeRates", true);
    rawTtlSeconds = rawTtl(keys, all.stream().anyMatch(group -> group.type == ConsumerType.REPAIR));
    coverageTable = keys.takeOrEmpty("coverage.table", CoverageRows.DEFAULT_TABLE);
    if (!coverageTable.isEmpty() && !CoverageRows.isTableName(coverageTable)) {
      keys.problem("coverage.table", "must be the name of a table, or empty", coverageTable);
    }
    maskLimits =
        new MaskLimits(
            keys.takeInt("coverage.maxSeries", 0, 10_000, 1_000),
            keys.takeInt("coverage.maxMetrics", 1, 10_000, 1_000));
    requestTopic = keys.takeOrEmpty("coverage.requestTopic", "");
    requestsPerMinute = keys.takeInt("coverage.maxRequests", 1, 1_000_000, 1_000);
    keys.refuseRest(obsolete());
  }

  /**
   * Reads the configuration for the consumer groups.
   *
   * @param conf the whole opentsdb.conf
   * @throws ConfigException with all problems
   */
  public static IngestConfig read(Map<String, String> conf) {
    return read(conf, Reader.GROUPS);
  }

  /**
   * Reads the keys of all plugin classes and ignores all other keys.
   *
   * @param conf the whole opentsdb.conf
   * @param reader the plugin class that needs the configuration; its required keys must be set
   * @throws ConfigException with all problems
   */
  public static IngestConfig read(Map<String, String> conf, Reader reader) {
    List<String> problems = new ArrayList<>();
    Keys keys = new Keys(PREFIX, problems);
    conf.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX) && value != null) {
            keys.add(key.substring(PREFIX.length()), value);
          }
        });
    IngestConfig config = new IngestConfig(keys, reader, problems);
    if (!problems.isEmpty()) {
      throw new ConfigException("kafka-ingest", problems);
    }
    return config;
  }

  private static MessageLimits messageLimits(Keys keys) {
    MessageLimits defaults = MessageLimits.DEFAULT;
    int maxBytes = MessageLimits.MAX_BYTES;
    int maxElements = MessageLimits.MAX_ELEMENTS;
    int minDepth = MessageLimits.MIN_DEPTH;
    return new MessageLimits(
        keys.takeInt("maxMessageBytes", MessageLimits.MIN_BYTES, maxBytes, defaults.maxBytes()),
        keys.takeInt("maxMessageElements", 1, maxElements, defaults.maxElements()),
        keys.takeInt("maxMessageDepth", minDepth, MessageLimits.MAX_DEPTH, defaults.maxDepth()),
        keys.takeInt("maxMessageDeadLetters", 1, maxElements, defaults.maxProblems()));
  }

  /** A TTL that is not known must not pass for one that has removed nothing. */
  private static long rawTtl(Keys keys, boolean required) {
    String value = keys.take("repairTtl");
    if (value == null) {
      if (required) {
        keys.problem(
            "repairTtl",
            "must be the TTL of column family t of the table of raw points, in seconds, or forever,"
                + " for a group of type REPAIR, found nothing");
      }
      return RawTtl.FOREVER;
    }
    if (value.equalsIgnoreCase("forever")) {
      return RawTtl.FOREVER;
    }
    try {
      long seconds = Long.parseLong(value);
      if (seconds >= 1 && seconds <= Integer.MAX_VALUE) {
        return seconds == Integer.MAX_VALUE ? RawTtl.FOREVER : seconds;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    keys.problem("repairTtl", "must be seconds, 1 to 2147483647, or forever", value);
    return RawTtl.FOREVER;
  }

  private static List<String> groupNames(Keys keys) {
    List<String> names = new ArrayList<>();
    for (String name : keys.takeList("groups")) {
      if (!GROUP.matcher(name).matches() || RESERVED.contains(name)) {
        keys.problem(
            "groups",
            "must be names of letters, digits, _ and -, not kafka, seh, publisher or coverage",
            name);
      } else if (names.contains(name)) {
        keys.problem("groups", "must name each group once", name);
      } else {
        names.add(name);
      }
    }
    return names;
  }

  static Map<String, String> obsolete() {
    return ImmutableMap.of(
        "threadInterval", "failed threads are restarted immediately; remove it",
        "metric_agg_frequency", "statistics are counted per group; remove it",
        "killOnShutdownError", "the plugin never stops the TSD; remove it",
        "track_metric_prefix", "statistics are counted per group; remove it");
  }

  /**
   * The least delay of a request for rollups: of the groups that carry out requests here, or of all
   * groups that have no delay of their own. Milliseconds.
   */
  public long repairDelayMillis() {
    return groups.stream()
        .filter(group -> group.type == ConsumerType.REPAIR)
        .mapToLong(group -> group.requeueDelayMillis)
        .min()
        .orElse(requeueDelayMillis);
  }

  /** Topics that groups write to, besides their own. */
  public Collection<String> otherTopics() {
    List<String> topics = new ArrayList<>(requeueTopics.values());
    if (!requestTopic.isEmpty()) {
      topics.add(requestTopic);
    }
    return topics;
  }
}
