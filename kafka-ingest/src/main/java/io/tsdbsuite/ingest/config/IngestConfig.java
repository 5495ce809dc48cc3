package io.tsdbsuite.ingest.config;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.ingest.mask.MaskLimits;
import io.tsdbsuite.message.read.MessageLimits;
import io.tsdbsuite.metrics.plugin.ConfigException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The plugin's configuration in opentsdb.conf. Immutable. */
public final class IngestConfig {
  /** Prefix of all keys, as in opentsdb-rpc-kafka. */
  public static final String PREFIX = "KafkaRpcPlugin.";

  private static final long DEFAULT_REQUEUE_DELAY = 300_000;
  private static final long DEFAULT_READY_LAG = 10_000;
  private static final long DEFAULT_STALL = 300_000;
  private static final long DEFAULT_DRAIN = 30_000;
  private static final long DEFAULT_ACK_TIMEOUT = 600_000;
  private static final int DEFAULT_QUEUE = 100_000;
  private static final long DAY = 86_400_000;
  private static final int DEFAULT_MASKED = 1_000;
  private static final int MAX_MASKED = 10_000;
  private static final int DEFAULT_REQUESTS = 1_000;
  private static final int MAX_REQUESTS = 1_000_000;

  /** {@link #rawTtlSeconds} of a table whose points do not expire. */
  public static final long FOREVER = Long.MAX_VALUE;

  private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9_-]+");

  /** No group can have these names: other keys begin with them. */
  private static final Set<String> RESERVED =
      Collections.unmodifiableSet(
          new HashSet<>(Arrays.asList("kafka", "seh", "publisher", "coverage")));

  private final List<GroupConfig> groups;
  private final Map<String, String> kafka;
  private final Map<String, String> requeueTopics;
  private final int sehMaxQueued;
  private final String publisherTopic;
  private final int publisherMaxQueued;
  private final long drainMillis;
  private final long ackTimeoutMillis;
  private final boolean ratesChange;
  private final long rawTtlSeconds;
  private final String coverageTable;
  private final MaskLimits maskLimits;
  private final String requestTopic;
  private final int requestsPerMinute;
  private final long requeueDelayMillis;

  private IngestConfig(
      List<GroupConfig> groups,
      Map<String, String> kafka,
      Map<String, String> requeueTopics,
      int sehMaxQueued,
      String publisherTopic,
      int publisherMaxQueued,
      long drainMillis,
      long ackTimeoutMillis,
      boolean ratesChange,
      long rawTtlSeconds,
      String coverageTable,
      MaskLimits maskLimits,
      String requestTopic,
      int requestsPerMinute,
      long requeueDelayMillis) {
    this.requestTopic = requestTopic;
    this.requestsPerMinute = requestsPerMinute;
    this.requeueDelayMillis = requeueDelayMillis;
    this.coverageTable = coverageTable;
    this.maskLimits = maskLimits;
    this.groups = Collections.unmodifiableList(groups);
    this.kafka = Collections.unmodifiableMap(kafka);
    this.requeueTopics = Collections.unmodifiableMap(requeueTopics);
    this.sehMaxQueued = sehMaxQueued;
    this.publisherTopic = publisherTopic;
    this.publisherMaxQueued = publisherMaxQueued;
    this.drainMillis = drainMillis;
    this.ackTimeoutMillis = ackTimeoutMillis;
    this.ratesChange = ratesChange;
    this.rawTtlSeconds = rawTtlSeconds;
  }

  /**
   * Reads the configuration for the consumer groups.
   *
   * @param conf the whole opentsdb.conf
   * @throws ConfigException with all problems
   */
  public static IngestConfig read(Map<String, String> conf) {
    return read(conf, ConfigReader.GROUPS);
  }

  /**
   * Reads the keys of all plugin classes and ignores all other keys.
   *
   * @param conf the whole opentsdb.conf
   * @param reader the plugin class that needs the configuration; its required keys must be set
   * @throws ConfigException with all problems
   */
  public static IngestConfig read(Map<String, String> conf, ConfigReader reader) {
    List<String> problems = new ArrayList<>();
    Keys keys = new Keys(PREFIX, problems);
    for (Map.Entry<String, String> entry : conf.entrySet()) {
      if (entry.getKey().startsWith(PREFIX) && entry.getValue() != null) {
        keys.add(entry.getKey().substring(PREFIX.length()), entry.getValue());
      }
    }
    IngestConfig config = read(keys, reader, problems);
    if (!problems.isEmpty()) {
      throw new ConfigException("kafka-ingest", problems);
    }
    return config;
  }

  static IngestConfig read(Keys keys, ConfigReader reader, List<String> problems) {
    reader.require(keys);
    List<String> names = groupNames(keys);
    Map<String, String> kafka = keys.takeAll("kafka.");
    Map<String, Map<String, String>> ofGroups = new LinkedHashMap<>();
    for (String name : names) {
      ofGroups.put(name, split(kafka, name + "."));
    }
    KafkaSettings.check(kafka, keys, "kafka.");
    KafkaSettings.requireBrokers(kafka, keys);
    GroupDefaults defaults =
        new GroupDefaults(
            keys.take("deadLetterTopic"),
            keys.takeLong("requeueDelay", 0, 365 * DAY, DEFAULT_REQUEUE_DELAY),
            keys.takeLong("readyLag", 0, Long.MAX_VALUE, DEFAULT_READY_LAG),
            keys.takeLong("stallTimeout", 1000, Long.MAX_VALUE, DEFAULT_STALL),
            messageLimits(keys),
            keys.takeLong("drainTimeout", 0, DAY, DEFAULT_DRAIN),
            keys.takeLong("ackTimeout", 1000, DAY, DEFAULT_ACK_TIMEOUT),
            kafka);
    List<GroupConfig> groups = new ArrayList<>();
    for (Map.Entry<String, Map<String, String>> group : ofGroups.entrySet()) {
      String name = group.getKey();
      Map<String, String> own = group.getValue();
      KafkaSettings.check(own, keys, "kafka." + name + ".");
      Keys ofGroup = new Keys(PREFIX + name + ".", problems);
      keys.takeAll(name + ".").forEach(ofGroup::add);
      groups.add(new GroupReader(name).read(ofGroup, defaults, own));
    }
    Map<String, String> requeueTopics = new LinkedHashMap<>();
    for (String kind : new String[] {"default", "raw", "rollup", "histogram", "preaggregate"}) {
      String topic = keys.take("seh.topic." + kind);
      if (topic != null) {
        requeueTopics.put(kind, topic);
      }
    }
    int sehQueued = (int) keys.takeLong("seh.maxQueued", 1, Integer.MAX_VALUE, DEFAULT_QUEUE);
    String published = keys.take("publisher.topic");
    int publisherQueued =
        (int) keys.takeLong("publisher.maxQueued", 1, Integer.MAX_VALUE, DEFAULT_QUEUE);
    boolean ratesChange = keys.takeBoolean("changeRates", true);
    boolean repairs = groups.stream().anyMatch(group -> group.type() == ConsumerType.REPAIR);
    long ttl = rawTtl(keys, repairs);
    String coverage = keys.takeOrEmpty("coverage.table", CoverageRows.DEFAULT_TABLE);
    if (!coverage.isEmpty() && !CoverageRows.isTableName(coverage)) {
      keys.problem("coverage.table", "must be the name of a table, or empty", coverage);
    }
    MaskLimits masks =
        new MaskLimits(
            (int) keys.takeLong("coverage.maxSeries", 0, MAX_MASKED, DEFAULT_MASKED),
            (int) keys.takeLong("coverage.maxMetrics", 1, MAX_MASKED, DEFAULT_MASKED));
    String requestTopic = keys.take("coverage.requestTopic");
    int requests = (int) keys.takeLong("coverage.maxRequests", 1, MAX_REQUESTS, DEFAULT_REQUESTS);
    keys.refuseRest(obsolete());
    return new IngestConfig(
        groups,
        kafka,
        requeueTopics,
        sehQueued,
        published == null ? "" : published,
        publisherQueued,
        defaults.drainMillis,
        defaults.ackTimeoutMillis,
        ratesChange,
        ttl,
        coverage,
        masks,
        requestTopic == null ? "" : requestTopic,
        requests,
        defaults.requeueDelayMillis);
  }

  private static MessageLimits messageLimits(Keys keys) {
    MessageLimits defaults = MessageLimits.DEFAULT;
    return new MessageLimits(
        (int)
            keys.takeLong(
                "maxMessageBytes",
                MessageLimits.MIN_BYTES,
                MessageLimits.MAX_BYTES,
                defaults.maxBytes()),
        (int)
            keys.takeLong(
                "maxMessageElements", 1, MessageLimits.MAX_ELEMENTS, defaults.maxElements()),
        (int)
            keys.takeLong(
                "maxMessageDepth",
                MessageLimits.MIN_DEPTH,
                MessageLimits.MAX_DEPTH,
                defaults.maxDepth()),
        (int)
            keys.takeLong(
                "maxMessageDeadLetters", 1, MessageLimits.MAX_ELEMENTS, defaults.maxProblems()));
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
      return FOREVER;
    }
    if (value.equalsIgnoreCase("forever")) {
      return FOREVER;
    }
    try {
      long seconds = Long.parseLong(value);
      if (seconds >= 1 && seconds <= Integer.MAX_VALUE) {
        return seconds == Integer.MAX_VALUE ? FOREVER : seconds;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    keys.problem("repairTtl", "must be seconds, 1 to 2147483647, or forever", value);
    return FOREVER;
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

  private static Map<String, String> split(Map<String, String> kafka, String below) {
    Map<String, String> own = new TreeMap<>();
    kafka
        .entrySet()
        .removeIf(
            entry -> {
              boolean match = entry.getKey().startsWith(below);
              if (match) {
                own.put(entry.getKey().substring(below.length()), entry.getValue());
              }
              return match;
            });
    return own;
  }

  static Map<String, String> obsolete() {
    Map<String, String> obsolete = new HashMap<>();
    obsolete.put("threadInterval", "failed threads are restarted immediately; remove it");
    obsolete.put("metric_agg_frequency", "statistics are counted per group; remove it");
    obsolete.put("killOnShutdownError", "the plugin never stops the TSD; remove it");
    obsolete.put("track_metric_prefix", "statistics are counted per group; remove it");
    return obsolete;
  }

  /** The groups in the order of the configuration; empty if only other plugin classes are used. */
  public List<GroupConfig> groups() {
    return groups;
  }

  /** Settings of Kafka's clients for all groups; unmodifiable. */
  public Map<String, String> kafka() {
    return kafka;
  }

  /**
   * Topics of the storage exception handler by {@code default}, {@code raw}, {@code rollup}, {@code
   * histogram}, {@code preaggregate}; unmodifiable.
   */
  public Map<String, String> requeueTopics() {
    return requeueTopics;
  }

  /** Maximum of points that the storage exception handler queues for Kafka. */
  public int sehMaxQueued() {
    return sehMaxQueued;
  }

  /** Topic of published points; empty if it is not configured. */
  public String publisherTopic() {
    return publisherTopic;
  }

  /** Maximum of points that the publisher queues for Kafka. */
  public int publisherMaxQueued() {
    return publisherMaxQueued;
  }

  /** Time for which a shutdown or rebalance waits for HBase, milliseconds. */
  public long drainMillis() {
    return drainMillis;
  }

  /** After which time an answer of HBase is overdue, milliseconds. */
  public long ackTimeoutMillis() {
    return ackTimeoutMillis;
  }

  /** TTL of the table of raw points, seconds, or {@link #FOREVER}; for groups of type REPAIR. */
  public long rawTtlSeconds() {
    return rawTtlSeconds;
  }

  /** The coverage table, in which late points are masked; empty if there is none. */
  public String coverageTable() {
    return coverageTable;
  }

  /** Topic of the requests for rollups of late points; empty if there are none. */
  public String requestTopic() {
    return requestTopic;
  }

  /** Maximum of these requests in a minute. */
  public int requestsPerMinute() {
    return requestsPerMinute;
  }

  /**
   * The least delay of a request for rollups: of the groups that carry out requests here, or of all
   * groups that have no delay of their own. Milliseconds.
   */
  public long repairDelayMillis() {
    return groups.stream()
        .filter(group -> group.type() == ConsumerType.REPAIR)
        .mapToLong(GroupConfig::requeueDelayMillis)
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

  /** Bounds of the masks. */
  public MaskLimits maskLimits() {
    return maskLimits;
  }

  /** Whether rates may be changed over HTTP. */
  public boolean ratesChange() {
    return ratesChange;
  }
}
