package io.tsdbsuite.ingest.store;

import com.stumbleupon.async.Callback;
import com.stumbleupon.async.Deferred;
import io.tsdbsuite.format.meta.TsuidLayout;
import io.tsdbsuite.ingest.mask.Floors;
import io.tsdbsuite.ingest.mask.RawTtl;
import io.tsdbsuite.ingest.mask.RepairedMasks;
import io.tsdbsuite.message.read.AggregateElement;
import io.tsdbsuite.message.read.BadElement;
import io.tsdbsuite.message.read.BadMessageException;
import io.tsdbsuite.message.read.Element;
import io.tsdbsuite.message.read.HistogramElement;
import io.tsdbsuite.message.read.MetricElement;
import io.tsdbsuite.message.read.PointNumber;
import io.tsdbsuite.message.read.Reason;
import io.tsdbsuite.message.read.RollupElement;
import io.tsdbsuite.message.read.SeriesElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import net.opentsdb.core.Const;
import net.opentsdb.core.SeriesRowKeys;
import net.opentsdb.core.TSDB;
import net.opentsdb.uid.NoSuchUniqueName;
import org.hbase.async.GetRequest;
import org.hbase.async.RegionLocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores elements of any type through the TSD. Thread-safe. */
public class ElementStore implements ElementSink, Storage {
  private static final Logger LOG = LoggerFactory.getLogger(ElementStore.class);

  final TSDB tsdb;
  final RollupWriter rollups;
  final NameCheck names;
  private final HistogramWriter histograms;
  private final CellIdentity identity;
  final Floors floors;
  private final @Nullable RollupSchema schema;
  private final SingleFlush singleFlush;
  private final PackedStats packed;

  /**
   * Creates a store with the TSD's configuration.
   *
   * @param clock upper limit of cell timestamps from messages
   * @param needsRollups whether an unusable rollup configuration is an error; otherwise rollups
   *     become dead letters
   * @param floors no rollup before them is written or deleted
   * @throws IllegalArgumentException with all problems when rollups are enabled and needed, and
   *     their configuration is unusable; or when they have histograms or packed tables, and the TSD
   *     cannot store them
   */
  public ElementStore(TSDB tsdb, Clock clock, boolean needsRollups, Floors floors) {
    this.tsdb = tsdb;
    this.schema = schema(tsdb, needsRollups);
    this.names = new NameCheck(tsdb.getClient()::get, tsdb.uidTable());
    this.floors = floors;
    this.rollups = new RollupWriter(tsdb, schema, names, floors, clock);
    this.histograms = new HistogramWriter(tsdb);
    this.identity = new CellIdentity(schema, tsdb.getAggTagKey());
    this.singleFlush = new SingleFlush(() -> tsdb.getClient().flush());
    this.packed = new PackedStats();
  }

  /** Shares all with another store. */
  ElementStore(ElementStore other) {
    this.tsdb = other.tsdb;
    this.schema = other.schema;
    this.names = other.names;
    this.rollups = other.rollups;
    this.histograms = other.histograms;
    this.identity = other.identity;
    this.floors = other.floors;
    this.singleFlush = other.singleFlush;
    this.packed = other.packed;
  }

  private static @Nullable RollupSchema schema(TSDB tsdb, boolean needed) {
    RollupSchema schema = schema(() -> RollupSchema.of(tsdb), needed);
    // Needed also where no rollup is stored: late histograms of which metrics to mask.
    return schema == null
        ? null
        : schema.checked(tsdb.getConfig().getMap(), tsdb.getTSfilter() != null);
  }

  /** Reads the rollup configuration; returns null if it is unusable and not needed. */
  static @Nullable RollupSchema schema(Supplier<@Nullable RollupSchema> reader, boolean needed) {
    try {
      return reader.get();
    } catch (IllegalArgumentException e) {
      if (needed) {
        throw e;
      }
      LOG.error("rollups become dead letters: {}", e.getMessage());
      return null;
    }
  }

  /**
   * The intervals of which a request must ask for rollups, so that no other rollup shows an hour:
   * all of the TSD's rollup configuration, but for the default one; none if it has no usable
   * configuration, or an interval that cannot be computed from rows of raw points.
   */
  public static List<String> repairableIntervals(TSDB tsdb) {
    RollupSchema schema = schema(tsdb, false);
    return schema == null ? Collections.emptyList() : schema.repairable();
  }

  /** The metrics whose rollups have histograms by the TSD's rollup configuration. */
  public static Predicate<String> histogramMetrics(TSDB tsdb) {
    RollupSchema schema = schema(tsdb, false);
    return metric -> schema != null && schema.hasHistograms(metric);
  }

  @Override
  public boolean hasHistograms(String metric) {
    return schema != null && schema.hasHistograms(metric);
  }

  @Override
  public Deferred<Object> store(Element element, long cellTimestamp, RowBatch batch)
      throws BadMessageException, IOException {
    if (element instanceof BadElement) {
      throw ((BadElement) element).problem();
    }
    names.require((SeriesElement) element);
    if (element instanceof MetricElement) {
      return storeRaw((MetricElement) element);
    }
    if (element instanceof RollupElement) {
      return rollups.store((RollupElement) element, cellTimestamp, batch);
    }
    if (element instanceof AggregateElement) {
      return rollups.store((AggregateElement) element, cellTimestamp, batch);
    }
    if (element instanceof HistogramElement) {
      return histograms.store((HistogramElement) element);
    }
    throw new BadMessageException(
        Reason.UNKNOWN_TYPE,
        "type must be one that this group stores, Metric, Aggregate, Rollup or Histogram; a"
            + " RollupRequest is for a group with consumerType REPAIR");
  }

  private Deferred<Object> storeRaw(MetricElement point) throws BadMessageException {
    PointNumber number = new PointNumber();
    Map<String, String> tags = new TagsFromKafka(point.tags());
    number.parse(point.value(), point.origin());
    if (!number.isFloat()) {
      return tsdb.addPoint(point.metric(), point.timestamp(), number.longValue(), tags);
    }
    double value = number.doubleValue();
    return number.valueLength() == 4
        ? tsdb.addPoint(point.metric(), point.timestamp(), (float) value, tags)
        : tsdb.addPoint(point.metric(), point.timestamp(), value, tags);
  }

  /**
   * Creates the store for requests for rollups.
   *
   * @param ttl TTL of the table of raw points
   * @param masks removes the masks of repaired hours; null if there is no coverage
   * @throws IllegalArgumentException with all problems when the TSD's configuration of its tables
   *     is unusable
   */
  public ElementSink repairs(RawTtl ttl, Clock clock, @Nullable RepairedMasks masks) {
    return new RepairStore(this, ttl, clock, masks);
  }

  /**
   * Starts a scan of the rollup tables for cells of other widths, written by another program.
   *
   * @return the result, updated while the scan runs
   */
  public OtherWidths scanForOtherWidths() {
    Set<String> tables = schema == null ? Collections.emptySet() : schema.tables();
    OtherWidths found = new OtherWidths(tables.size(), schema == null ? -1 : schema.countId());
    int prefixLength = Const.SALT_WIDTH() + TSDB.metrics_width();
    for (String table : tables) {
      new RollupTableScan(tsdb.getClient(), table, prefixLength, found).start();
    }
    return found;
  }

  /** Counters of the parts that this store and those that share with it write. */
  public PackedStats packed() {
    return packed;
  }

  @Override
  public long bytes(Element element) {
    return element instanceof RollupElement ? rollups.bytes((RollupElement) element) : 0;
  }

  /**
   * Looks in the background whether the tables exist without which rollups cannot be stored, and
   * logs those that do not. HBase need not be available yet.
   */
  public void lookForTables() {
    for (String table : schema == null ? Collections.<String>emptySet() : schema.needed()) {
      tsdb.getClient()
          .locateRegions(table)
          .addCallback(
              (Callback<Object, List<RegionLocation>>)
                  regions -> {
                    if (regions.isEmpty()) {
                      LOG.error(
                          "table {} must exist: rollups that belong there are not committed until"
                              + " it does",
                          table);
                    }
                    return "";
                  });
    }
  }

  @Override
  public String tsuid(SeriesElement element) {
    try {
      byte[] row = SeriesRowKeys.existing(tsdb, element.metric(), element.tags());
      return TsuidLayout.hex(SeriesRowKeys.tsuid(row));
    } catch (NoSuchUniqueName | IllegalArgumentException e) {
      return "";
    }
  }

  @Override
  public CellIds cells(List<Element> elements) {
    return identity.of(elements);
  }

  @Override
  public RowBatch newBatch() {
    return newBatch(newPartFlush());
  }

  PartFlush newPartFlush() {
    return new PartFlush(() -> tsdb.getClient().flush());
  }

  RowBatch newBatch(PartFlush partFlush) {
    return new RowBatch(tsdb.getClient()::put, packed, partFlush);
  }

  @Override
  public Deferred<Object> probe() {
    byte[] table =
        tsdb.getConfig()
            .getString("tsd.storage.hbase.data_table")
            .getBytes(StandardCharsets.ISO_8859_1);
    byte[] row = SeriesRowKeys.anywhere(ThreadLocalRandom.current());
    return tsdb.getClient().get(new GetRequest(table, row)).addCallback(cells -> null);
  }

  @Override
  public void flush() {
    tsdb.getClient().flush();
  }

  @Override
  public void flushIfAnswered() {
    singleFlush.flush();
  }
}
