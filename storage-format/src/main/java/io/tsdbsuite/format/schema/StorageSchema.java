package io.tsdbsuite.format.schema;

import io.tsdbsuite.format.uid.UidKind;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The layout of one OpenTSDB installation's tables: UID widths, salt, table names, and the switches
 * that change the meaning of stored bytes. It is read from the TSD's own configuration with the
 * TSD's own defaults. Immutable.
 *
 * <p>Source: docs/storage.md 1, 2.6, 6 and 11.
 */
public final class StorageSchema implements Serializable {
  private static final long serialVersionUID = 1L;

  static final String METRIC_WIDTH = "tsd.storage.uid.width.metric";
  static final String TAGK_WIDTH = "tsd.storage.uid.width.tagk";
  static final String TAGV_WIDTH = "tsd.storage.uid.width.tagv";

  /** The key of the width of the salt, bytes. */
  public static final String SALT_WIDTH = "tsd.storage.salt.width";

  /** The key of the number of salt buckets. */
  public static final String SALT_BUCKETS = "tsd.storage.salt.buckets";

  /** The key of the table of raw points. */
  public static final String DATA_TABLE = "tsd.storage.hbase.data_table";

  /** The key of the table of UIDs. */
  public static final String UID_TABLE = "tsd.storage.hbase.uid_table";

  /** The key of the table of time series metadata. */
  public static final String META_TABLE = "tsd.storage.hbase.meta_table";

  static final String RANDOM_METRICS = "tsd.core.uid.random_metrics";
  static final String TREE_TABLE = "tsd.storage.hbase.tree_table";
  static final String FIX_DUPLICATES = "tsd.storage.fix_duplicates";
  static final String USE_OTSDB_TIMESTAMP = "tsd.storage.use_otsdb_timestamp";
  static final String USE_MAX_VALUE = "tsd.storage.use_max_value";
  static final String ROLLUPS_ENABLE = "tsd.rollups.enable";
  static final String ROLLUPS_CONFIG = "tsd.rollups.config";

  /** The key of {@link #tagRaw()}. */
  public static final String ROLLUPS_TAG_RAW = "tsd.rollups.tag_raw";

  /** The key of {@link #histogramCodecs()}. */
  public static final String HISTOGRAMS_CONFIG = "tsd.core.histograms.config";

  static final String ROLLUPS_AGG_TAG_KEY = "tsd.rollups.agg_tag_key";
  static final String ROLLUPS_RAW_AGG_TAG_VALUE = "tsd.rollups.raw_agg_tag_value";

  /** The configuration keys that a schema reads; all others are ignored. */
  public static final List<String> KEYS =
      Collections.unmodifiableList(
          Arrays.asList(
              METRIC_WIDTH,
              TAGK_WIDTH,
              TAGV_WIDTH,
              SALT_WIDTH,
              SALT_BUCKETS,
              RANDOM_METRICS,
              DATA_TABLE,
              UID_TABLE,
              META_TABLE,
              TREE_TABLE,
              FIX_DUPLICATES,
              USE_OTSDB_TIMESTAMP,
              USE_MAX_VALUE,
              ROLLUPS_ENABLE,
              ROLLUPS_CONFIG,
              ROLLUPS_TAG_RAW,
              ROLLUPS_AGG_TAG_KEY,
              ROLLUPS_RAW_AGG_TAG_VALUE,
              HISTOGRAMS_CONFIG));

  private final int metricWidth;
  private final int tagkWidth;
  private final int tagvWidth;
  private final int saltWidth;
  private final int saltBuckets;
  private final boolean randomMetrics;
  private final String dataTable;
  private final String uidTable;
  private final String metaTable;
  private final String treeTable;
  private final boolean fixDuplicates;
  private final boolean useOtsdbTimestamp;
  private final boolean useMaxValue;
  private final boolean rollupsEnabled;
  private final @Nullable String rollupConfig;
  private final boolean tagRaw;
  private final String aggTagKey;
  private final String rawAggTagValue;
  private final @Nullable String histogramCodecs;

  private StorageSchema(Reader reader) {
    metricWidth = reader.number(METRIC_WIDTH, 3, 1, 8);
    tagkWidth = reader.number(TAGK_WIDTH, 3, 1, 8);
    tagvWidth = reader.number(TAGV_WIDTH, 3, 1, 8);
    saltWidth = reader.number(SALT_WIDTH, 0, 0, 8);
    saltBuckets = reader.number(SALT_BUCKETS, 20, 1, Integer.MAX_VALUE);
    if (saltWidth > 0 && saltWidth < 4 && saltBuckets > 1 << (8 * saltWidth)) {
      reader.problem(
          SALT_BUCKETS,
          "at most " + (1 << (8 * saltWidth)) + " fit in " + saltWidth + " byte(s) of salt",
          String.valueOf(saltBuckets));
    }
    randomMetrics = reader.bool(RANDOM_METRICS, false);
    dataTable = reader.name(DATA_TABLE, "tsdb");
    uidTable = reader.name(UID_TABLE, "tsdb-uid");
    metaTable = reader.name(META_TABLE, "tsdb-meta");
    treeTable = reader.name(TREE_TABLE, "tsdb-tree");
    fixDuplicates = reader.bool(FIX_DUPLICATES, false);
    useOtsdbTimestamp = reader.bool(USE_OTSDB_TIMESTAMP, false);
    useMaxValue = reader.bool(USE_MAX_VALUE, true);
    rollupsEnabled = reader.bool(ROLLUPS_ENABLE, false);
    String rollups = reader.text(ROLLUPS_CONFIG);
    rollupConfig = rollups == null || rollups.isEmpty() ? null : rollups;
    if (rollupsEnabled && rollupConfig == null) {
      reader.problem(ROLLUPS_CONFIG, "compulsory when " + ROLLUPS_ENABLE + " is on", rollups);
    }
    tagRaw = reader.bool(ROLLUPS_TAG_RAW, false);
    aggTagKey = reader.name(ROLLUPS_AGG_TAG_KEY, "_aggregate");
    rawAggTagValue = reader.name(ROLLUPS_RAW_AGG_TAG_VALUE, "RAW");
    String codecs = reader.text(HISTOGRAMS_CONFIG);
    histogramCodecs = codecs == null || codecs.isEmpty() ? null : codecs;
  }

  private StorageSchema(StorageSchema other, int saltWidth) {
    metricWidth = other.metricWidth;
    tagkWidth = other.tagkWidth;
    tagvWidth = other.tagvWidth;
    this.saltWidth = saltWidth;
    saltBuckets = other.saltBuckets;
    randomMetrics = other.randomMetrics;
    dataTable = other.dataTable;
    uidTable = other.uidTable;
    metaTable = other.metaTable;
    treeTable = other.treeTable;
    fixDuplicates = other.fixDuplicates;
    useOtsdbTimestamp = other.useOtsdbTimestamp;
    useMaxValue = other.useMaxValue;
    rollupsEnabled = other.rollupsEnabled;
    rollupConfig = other.rollupConfig;
    tagRaw = other.tagRaw;
    aggTagKey = other.aggTagKey;
    rawAggTagValue = other.rawAggTagValue;
    histogramCodecs = other.histogramCodecs;
  }

  /** The same schema for keys whose salt has been cut off. */
  public StorageSchema withoutSalt() {
    return new StorageSchema(this, 0);
  }

  /**
   * The schema that a TSD with this configuration uses.
   *
   * @throws SchemaException with all problems, when a width is not in 1..8, the salt width is not
   *     in 0..8, the salt buckets are below 1 or do not fit in the salt, a number is invalid, a
   *     boolean is not one of true, yes, 1, false, no, 0, or a name is empty
   */
  public static StorageSchema from(TsdConfig config) {
    Reader reader = new Reader(config);
    StorageSchema schema = new StorageSchema(reader);
    if (!reader.problems.isEmpty()) {
      throw new SchemaException("TSD configuration", reader.problems);
    }
    return schema;
  }

  /** The schema of a TSD without any configuration: UIDs on 3 bytes, no salt. */
  public static StorageSchema defaults() {
    return from(TsdConfig.parse(""));
  }

  /** Width of a metric UID, 1..8 bytes. */
  public int metricWidth() {
    return metricWidth;
  }

  /** Width of a tag key UID, 1..8 bytes. */
  public int tagkWidth() {
    return tagkWidth;
  }

  /** Width of a tag value UID, 1..8 bytes. */
  public int tagvWidth() {
    return tagvWidth;
  }

  /** Width of a kind's UIDs, 1..8 bytes. */
  public int width(UidKind kind) {
    switch (kind) {
      case METRIC:
        return metricWidth;
      case TAGK:
        return tagkWidth;
      case TAGV:
        return tagvWidth;
    }
    throw new IllegalArgumentException("no such kind: " + kind);
  }

  /** The key that sets the width of a kind's UIDs, for messages. */
  public static String widthKey(UidKind kind) {
    switch (kind) {
      case METRIC:
        return METRIC_WIDTH;
      case TAGK:
        return TAGK_WIDTH;
      case TAGV:
        return TAGV_WIDTH;
    }
    throw new IllegalArgumentException("no such kind: " + kind);
  }

  /**
   * Whether new metrics get random UIDs instead of the counter's next value (docs/storage.md 4).
   */
  public boolean randomMetrics() {
    return randomMetrics;
  }

  /** Width of the salt, 0..8 bytes; 0 means that keys are not salted. */
  public int saltWidth() {
    return saltWidth;
  }

  /** Number of salt buckets, at least 1; unused while {@link #saltWidth()} is 0. */
  public int saltBuckets() {
    return saltBuckets;
  }

  /** Name of the table of raw points. */
  public String dataTable() {
    return dataTable;
  }

  /** Name of the table of UIDs. */
  public String uidTable() {
    return uidTable;
  }

  /** Name of the table of time series metadata. */
  public String metaTable() {
    return metaTable;
  }

  /** Name of the table of trees. */
  public String treeTable() {
    return treeTable;
  }

  /** Whether the newer cell wins if one instant has two different points (docs/storage.md 2.6). */
  public boolean fixDuplicates() {
    return fixDuplicates;
  }

  /** Whether cells carry the time of their points (docs/storage.md 11). */
  public boolean useOtsdbTimestamp() {
    return useOtsdbTimestamp;
  }

  /**
   * Whether the largest (else the smallest) of several points of one instant wins; only used with
   * {@link #useOtsdbTimestamp()} (docs/storage.md 11).
   */
  public boolean useMaxValue() {
    return useMaxValue;
  }

  /**
   * The keys that decide what stored rows mean, with their values: widths, salt, the rules for
   * duplicates, and the table of UIDs. Two runs that must read the same rows compare them.
   */
  public Map<String, String> rowKeys() {
    Map<String, String> keys = new TreeMap<>();
    keys.put(METRIC_WIDTH, Integer.toString(metricWidth));
    keys.put(TAGK_WIDTH, Integer.toString(tagkWidth));
    keys.put(TAGV_WIDTH, Integer.toString(tagvWidth));
    keys.put(SALT_WIDTH, Integer.toString(saltWidth));
    keys.put(SALT_BUCKETS, Integer.toString(saltBuckets));
    keys.put(FIX_DUPLICATES, Boolean.toString(fixDuplicates));
    keys.put(USE_OTSDB_TIMESTAMP, Boolean.toString(useOtsdbTimestamp));
    keys.put(USE_MAX_VALUE, Boolean.toString(useMaxValue));
    keys.put(UID_TABLE, uidTable);
    return keys;
  }

  /** Whether the TSD reads and writes rollups. */
  public boolean rollupsEnabled() {
    return rollupsEnabled;
  }

  /** Path ending in {@code .json} of the rollup configuration, or its JSON itself; null if none. */
  public @Nullable String rollupConfig() {
    return rollupConfig;
  }

  /** Whether ungrouped rollups carry {@link #aggTagKey()}={@link #rawAggTagValue()} as a tag. */
  public boolean tagRaw() {
    return tagRaw;
  }

  /** The tag key that names the aggregator of pre-aggregated points. */
  public String aggTagKey() {
    return aggTagKey;
  }

  /** The tag value of rollups that are not pre-aggregated. */
  public String rawAggTagValue() {
    return rawAggTagValue;
  }

  /**
   * Path ending in {@code .json} of the codecs of histograms, or their JSON itself; null if none.
   */
  public @Nullable String histogramCodecs() {
    return histogramCodecs;
  }

  /**
   * Reads single keys by the TSD's rules and collects violations of this module's stricter rules.
   */
  private static final class Reader {
    final TsdConfig config;
    final List<String> problems = new ArrayList<>();

    Reader(TsdConfig config) {
      this.config = config;
    }

    void problem(String key, String rule, @Nullable String found) {
      problems.add(
          key + ": " + rule + ", found " + (found == null ? "nothing" : "'" + found + "'"));
    }

    @Nullable String text(String key) {
      return config.get(key);
    }

    /** The TSD treats an empty number as absent. */
    int number(String key, int absent, int min, int max) {
      String found = config.get(key);
      if (found == null || found.isEmpty()) {
        return absent;
      }
      String rule =
          max == Integer.MAX_VALUE
              ? "must be a whole number, at least " + min
              : "must be a whole number from " + min + " to " + max;
      try {
        int number = Integer.parseInt(found.trim());
        if (number >= min && number <= max) {
          return number;
        }
      } catch (NumberFormatException e) {
        rule = rule + " (not a number)";
      }
      problem(key, rule, found);
      return absent;
    }

    boolean bool(String key, boolean absent) {
      String found = config.get(key);
      if (found == null) {
        return absent;
      }
      if (TsdConfig.isTrue(found)) {
        return true;
      }
      switch (found.trim().toLowerCase(Locale.ROOT)) {
        case "":
        case "0":
        case "no":
        case "false":
          return false;
        default:
          problem(key, "must be true, yes, 1, false, no or 0 (the TSD reads it as false)", found);
          return false;
      }
    }

    String name(String key, String absent) {
      String found = config.get(key);
      if (found == null) {
        return absent;
      }
      if (found.isEmpty() || !found.equals(found.trim())) {
        problem(key, "must be a name without blanks around it", found);
      }
      return found;
    }
  }
}
