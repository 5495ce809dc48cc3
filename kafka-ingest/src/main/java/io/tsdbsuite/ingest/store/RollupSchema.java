package io.tsdbsuite.ingest.store;

import io.tsdbsuite.coverage.CoverageRows;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupCell;
import io.tsdbsuite.format.rollup.RollupConfig;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.rollup.Selection;
import io.tsdbsuite.format.schema.SchemaException;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.opentsdb.core.TSDB;
import net.opentsdb.utils.Config;
import org.jspecify.annotations.Nullable;

/** The TSD's rollup configuration, by the names that messages use. Immutable. */
final class RollupSchema {
  private final RollupConfig config;
  private final Map<String, RollupTarget> targets = new LinkedHashMap<>();

  /** All but the default one, whose tables hold raw points. */
  private final List<RollupInterval> intervals = new ArrayList<>();

  private final Map<String, Integer> ids = new HashMap<>();
  private final boolean blockDerived;
  private final HistogramCodecs codecs;

  /**
   * Creates it.
   *
   * @param codecs of histograms; none if rollups have none
   */
  RollupSchema(RollupConfig config, boolean blockDerived, HistogramCodecs codecs) {
    this.config = config;
    this.blockDerived = blockDerived;
    this.codecs = codecs;
    for (RollupInterval interval : config.intervals()) {
      String name = interval.interval();
      String table = config.suite().packedTable(name);
      PackedTable packed = table == null ? null : new PackedTable(config, interval, table);
      targets.put(name, new RollupTarget(interval, config.suite().histogramTable(name), packed));
      if (!interval.defaultInterval()) {
        intervals.add(interval);
      }
    }
    config
        .aggregatorIds()
        .forEach(
            (name, id) -> {
              // Both usual spellings, so that a value costs one lookup.
              if (!isDerived(name)) {
                ids.put(name, id);
                ids.put(name.toUpperCase(Locale.ROOT), id);
              }
            });
  }

  /**
   * Reads the TSD's configuration files.
   *
   * @return null if rollups are disabled
   * @throws IllegalArgumentException with all problems
   */
  static @Nullable RollupSchema of(TSDB tsdb) {
    if (tsdb.getRollupConfig() == null) {
      return null;
    }
    Config config = tsdb.getConfig();
    try {
      return new RollupSchema(
          RollupConfig.load(config.getString("tsd.rollups.config")),
          config.getBoolean("tsd.rollups.block_derived"),
          HistogramCodecs.NONE);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "kafka-ingest: tsd.rollups.config must be a file that can be read, found " + e, e);
    }
  }

  /**
   * The same with the TSD's codecs, if rollups of any metric have histograms.
   *
   * @param conf opentsdb.conf
   * @param hasFilter whether a plugin filters single values
   * @throws SchemaException with all that the TSD lacks for them, and for packed tables
   */
  RollupSchema checked(Map<String, String> conf, boolean hasFilter) {
    List<String> packed = new ArrayList<>();
    targets.keySet().forEach(each -> packed.add(config.suite().packedTable(each)));
    packed.removeIf(Objects::isNull);
    if (!config.suite().hasHistograms() && packed.isEmpty()) {
      return this;
    }
    List<String> problems = new ArrayList<>();
    HistogramCodecs found = HistogramCodecs.NONE;
    try {
      StorageSchema storage = RepairStore.storage(conf);
      if (config.suite().hasHistograms()) {
        found =
            HistogramCodecs.ofRollups(
                storage, config.suite(), storage.histogramCodecs(), problems::add);
      }
      if (!packed.isEmpty()) {
        checkPacked(storage, packed, hasFilter, problems);
      }
    } catch (SchemaException e) {
      problems.addAll(e.problems());
    } catch (IOException e) {
      problems.add(
          StorageSchema.HISTOGRAMS_CONFIG + ": must be a file that can be read, found " + e);
    }
    if (!problems.isEmpty()) {
      throw new SchemaException("kafka-ingest", problems);
    }
    return new RollupSchema(config, blockDerived, found);
  }

  /** Finds what makes packed rollups differ from those of the plain tables. */
  private static void checkPacked(
      StorageSchema storage, List<String> tables, boolean hasFilter, List<String> problems) {
    String suite = "suite.packed of rollup_config.json: ";
    Set<String> others = new TreeSet<>(tables);
    others.retainAll(
        Arrays.asList(
            storage.dataTable(), storage.uidTable(), storage.metaTable(), storage.treeTable()));
    if (!others.isEmpty()) {
      problems.add(
          suite + "must not be tables of points, UIDs, meta data or trees, found " + others);
    }
    if (storage.useOtsdbTimestamp()) {
      problems.add(
          suite
              + "tsd.storage.use_otsdb_timestamp must be off, since cells would not have the time"
              + " of reading, found on");
    }
    if (storage.tagRaw()) {
      problems.add(suite + StorageSchema.ROLLUPS_TAG_RAW + " must be off, found on");
    }
    if (hasFilter) {
      problems.add(
          suite
              + "tsd.timeseriesfilter.enable must be off, since a packed rollup has all of its"
              + " values, found on");
    }
  }

  /** The codecs of histograms. */
  HistogramCodecs codecs() {
    return codecs;
  }

  /**
   * The value of the cell of a histogram: the codec's id, and the bytes.
   *
   * @param codec its class
   * @throws BadMessageException when the interval has no table for it, or the codec no id
   */
  byte[] histogram(RollupTarget target, String codec, byte[] bytes) throws BadMessageException {
    if (target.histogramTable == null) {
      throw new BadMessageException(
          Reason.UNKNOWN_INTERVAL,
          "interval must have a table in suite.histogramTables for a histogram, found "
              + target.interval.interval());
    }
    Integer id = codecs.id(codec);
    if (id == null) {
      throw new BadMessageException(
          Reason.UNKNOWN_CODEC,
          "histogram.codec must be in tsd.core.histograms.config, found " + codec);
    }
    byte[] cell = new byte[1 + bytes.length];
    cell[0] = id.byteValue();
    System.arraycopy(bytes, 0, cell, 1, bytes.length);
    return cell;
  }

  /** Whether rollups of a metric have histograms in any interval. */
  boolean hasHistograms(String metric) {
    if (!config.suite().hasHistograms()) {
      return false;
    }
    Selection selection = selection(metric);
    return intervals.stream().anyMatch(interval -> selection.histogram(interval.interval()));
  }

  /** The target of an interval; null if it is not configured. */
  @Nullable RollupTarget find(String interval) {
    return targets.get(interval);
  }

  RollupTarget target(String interval) throws BadMessageException {
    RollupTarget target = targets.get(interval);
    if (target == null) {
      throw new BadMessageException(
          Reason.UNKNOWN_INTERVAL,
          "interval must be one of " + targets.keySet() + ", found " + interval);
    }
    if (config.defaultInterval().interval().equals(interval)) {
      throw new BadMessageException(
          Reason.UNKNOWN_INTERVAL,
          "interval must not be the default interval, whose table is that of raw points, found "
              + interval);
    }
    return target;
  }

  /** What the rollups of a metric have beside sum, min, max and count. */
  Selection selection(String metric) {
    return config.suite().selection(metric);
  }

  /**
   * Whether rollups of a selection are written with the values of a level of their metric.
   *
   * @param level as the coverage names it: {@code 1h}, {@code 1h.p99}, {@code 1h.packed}
   */
  boolean writes(Selection selection, String level) {
    String interval = CoverageRows.interval(level);
    RollupTarget target = find(interval);
    return selection.levels(interval).contains(level)
        || (target != null
            && target.packed != null
            && level.equals(Level.text(interval, Level.PACKED)));
  }

  /** Whether these are all intervals, but for the default one: no other rollup shows the hour. */
  boolean repairsAll(Collection<String> asked) {
    return intervals.stream().allMatch(interval -> asked.contains(interval.interval()));
  }

  /** All intervals but the default one; none if one of them cannot be computed from raw rows. */
  List<String> repairable() {
    return intervals.stream().allMatch(RollupInterval::dividesHourOrDay)
        ? intervals.stream().map(RollupInterval::interval).collect(Collectors.toList())
        : Collections.emptyList();
  }

  /** Tables with rollup cells. */
  Set<String> tables() {
    Set<String> tables = new TreeSet<>();
    for (RollupInterval interval : intervals) {
      tables.add(interval.table());
      tables.add(interval.preAggregationTable());
    }
    return tables;
  }

  /** Tables without which rollups cannot be stored: with those of histograms and packed ones. */
  Set<String> needed() {
    Set<String> tables = new TreeSet<>(config.suite().histogramTables());
    for (RollupInterval interval : intervals) {
      tables.add(interval.table());
      String packed = config.suite().packedTable(interval.interval());
      if (packed != null) {
        tables.add(packed);
      }
    }
    return tables;
  }

  /** Id of {@code count}, which every configuration has. */
  int countId() {
    return Objects.requireNonNull(config.aggregatorId("count"));
  }

  /** The aggregators with an id, in lower case. */
  Set<String> aggregators() {
    return config.aggregatorIds().keySet();
  }

  /** All possible qualifiers of one interval: all aggregators, all legal widths. */
  byte[][] qualifiers(int offset) {
    List<byte[]> qualifiers = new ArrayList<>();
    for (int id : config.aggregatorIds().values()) {
      for (int width = 1; width <= 8; width *= 2) {
        qualifiers.add(RollupCell.of(id, offset, false, width));
      }
      qualifiers.add(RollupCell.of(id, offset, true, 4));
      qualifiers.add(RollupCell.of(id, offset, true, 8));
    }
    return qualifiers.toArray(new byte[0][]);
  }

  int aggregatorId(String aggregator) throws BadMessageException {
    Integer id = ids.get(aggregator);
    if (id != null) {
      return id;
    }
    id = config.aggregatorId(aggregator);
    if (id == null) {
      throw new BadMessageException(
          Reason.UNKNOWN_AGGREGATOR,
          "aggregator must be one of " + config.aggregatorIds().keySet() + ", found " + aggregator);
    }
    requireNotDerived(aggregator);
    return id;
  }

  void requireNotDerived(String aggregator) throws BadMessageException {
    if (blockDerived && isDerived(aggregator)) {
      throw new BadMessageException(
          Reason.UNKNOWN_AGGREGATOR,
          "aggregator must not be derived while tsd.rollups.block_derived is on, found "
              + aggregator);
    }
  }

  private static boolean isDerived(String aggregator) {
    return aggregator.equalsIgnoreCase("avg") || aggregator.equalsIgnoreCase("dev");
  }
}
