package io.tsdbsuite.query.read;

import com.stumbleupon.async.Deferred;
import io.tsdbsuite.coverage.QueryPlan;
import io.tsdbsuite.coverage.TimeRanges;
import io.tsdbsuite.format.histogram.HistogramCodecs;
import io.tsdbsuite.format.rollup.Level;
import io.tsdbsuite.format.rollup.RollupInterval;
import io.tsdbsuite.format.row.RowKey;
import io.tsdbsuite.format.schema.StorageSchema;
import io.tsdbsuite.query.estimate.SeriesEstimate;
import io.tsdbsuite.query.limit.BatchQueue;
import io.tsdbsuite.query.plan.PlanSize;
import io.tsdbsuite.query.plan.PlannedPieces;
import io.tsdbsuite.query.plan.RawReason;
import io.tsdbsuite.query.plan.RollupTables;
import io.tsdbsuite.query.run.QueryContext;
import io.tsdbsuite.query.run.QueryTasks;
import io.tsdbsuite.query.run.QueryThreads;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import net.opentsdb.core.RawQuery;
import net.opentsdb.core.TSDB;
import org.hbase.async.Bytes;
import org.hbase.async.ColumnRangeFilter;
import org.hbase.async.CompareFilter.CompareOp;
import org.hbase.async.FilterList;
import org.hbase.async.QualifierFilter;
import org.hbase.async.RegexStringComparator;
import org.hbase.async.ScanFilter;
import org.hbase.async.Scanner;
import org.jspecify.annotations.Nullable;

/**
 * Reads the series of one sub-query, whatever the values are.
 *
 * <ol>
 *   <li>Each scan of the plan is made in its table, each salt bucket by a scanner of its own; a
 *       limited number of scanners at the same time.
 *   <li>Each scan clips its values to its pieces.
 *   <li>The values of a series are merged in the order of time.
 * </ol>
 *
 * <p>It fails as a whole if any scan fails: an answer never has a hole because of an error. With
 * each batch, and after the last one, it checks that the rollups were still there when they were
 * read.
 */
abstract class PlanReader<S> implements SpanReader<S> {
  /**
   * Packed rows of a batch, for one of others: they have one cell, so those of an RPC are small.
   */
  private static final int PACKED_ROWS = 16;

  /** The last second of a row key, in 2106. */
  private static final long MAX_TIME = 0xFFFF_FFFFL;

  /**
   * Qualifiers of annotations: the seconds or milliseconds of the hour behind a 1. Of those of
   * points, only the ones at 16 s lie between.
   *
   * <pre>
   *   | 01 | 00 00 - 0E 0F |                3 bytes
   *   | 01 | 00 00 00 00 - 00 36 EE 7F |    5 bytes
   * </pre>
   */
  private static final byte[] FIRST_ANNOTATION = {1, 0};

  private static final byte[] AFTER_ANNOTATIONS = {1, 0x0F};

  final TSDB tsdb;
  final StorageSchema schema;
  final RawQuery query;
  private final RowKey keys;
  private final PlannedPieces plan;
  private final RawReason.Kind rawReason;
  private final QueryContext context;
  private final Shared shared;
  private final HeldMemory memory;
  private final PieceScan.Reading reading;
  private final @Nullable ScanFilter rowFilter;

  private final List<PieceScan> scans = new ArrayList<>();
  private final List<Kind> kinds = new ArrayList<>();

  /** Of each scan of rollups, how many of them a row has in its times at most. */
  private final Map<Integer, Integer> slots = new HashMap<>();

  private volatile @Nullable ScanGroup scanGroup;
  private int rawSeries;
  private int rawKept;
  private double rollupValues;
  private double keptValues;
  private double rawCells;
  private double rawPoints;

  /** What a scan reads. */
  private enum Kind {
    RAW,
    ROLLUPS,
    PACKED,
    ANNOTATIONS
  }

  /** What all sub-queries of a TSD have in common. */
  static final class Shared {
    final TSDB tsdb;
    final StorageSchema schema;
    final QueryThreads threads;
    final BatchQueue batches;
    final CellCounts counts;
    final UnreadablePacked unreadable;
    final RollupTables tables;
    final boolean annotations;

    /** The codecs of histograms. */
    final HistogramCodecs codecs;

    /**
     * @param annotations whether those of series are looked for in the raw rows that rollups stand
     *     for, which touches each of these rows in HBase
     * @param codecs of histograms
     * @param clock milliseconds that never go back
     */
    Shared(
        TSDB tsdb,
        StorageSchema schema,
        RollupTables tables,
        QueryThreads threads,
        BatchQueue batches,
        boolean annotations,
        HistogramCodecs codecs,
        LongSupplier clock) {
      this.unreadable = new UnreadablePacked(clock);
      this.annotations = annotations;
      this.codecs = codecs;
      this.counts = new CellCounts(tables);
      this.tsdb = tsdb;
      this.schema = schema;
      this.tables = tables;
      this.threads = threads;
      this.batches = batches;
    }
  }

  /**
   * @param rawReason why the raw data of the plan are read
   * @param counted whether each value has a count
   */
  PlanReader(
      Shared shared,
      RawQuery query,
      PlannedPieces plan,
      RawReason.Kind rawReason,
      boolean counted,
      QueryContext context) {
    this.tsdb = shared.tsdb;
    this.schema = shared.schema;
    this.keys = new RowKey(schema);
    this.query = query;
    this.plan = plan;
    this.rawReason = rawReason;
    this.context = context;
    this.shared = shared;
    this.memory = new HeldMemory(context);
    this.rowFilter = query.rowFilter();
    this.reading =
        new PieceScan.Reading(
            query,
            keys,
            counted,
            context,
            memory,
            plan::checkProof,
            shared.threads.rows(context),
            shared.batches);
  }

  @Override
  public Deferred<List<S>> read() {
    for (QueryPlan.Scan scan : plan.scans()) {
      QueryPlan.Table table = scan.table();
      if (table == null) {
        scanRaw(scan);
      } else {
        scanRollups(scan, table);
      }
    }
    if (plan.function() != null && shared.annotations && query.wantsAnnotations()) {
      scanAnnotations(rolledUp(plan.scans()));
    }
    ScanGroup group = new ScanGroup(scans, memory);
    scanGroup = group;
    return group
        .start(atOnce(schema))
        .addCallbackDeferring(
            results -> {
              plan.checkProof();
              group.report(query.scanStats(), query.index());
              return QueryTasks.call(
                  shared.threads.answers(context),
                  context,
                  () -> Deferred.fromResult(answer(results)));
            })
        .addErrback(
            (Exception failure) -> {
              memory.freeAll();
              if (failure instanceof UnreadablePackedException) {
                memory.forgive();
              }
              throw failure;
            });
  }

  /** Scanners of a sub-query that read at the same time. */
  static int atOnce(StorageSchema schema) {
    return Math.max(8, 2 * buckets(schema));
  }

  @Override
  public void stop(Exception failure) {
    ScanGroup running = scanGroup;
    if (running != null) {
      running.stop(failure);
    }
  }

  @Override
  public SeriesEstimate corrected(SeriesEstimate before, PlanSize size) {
    return plan.function() == null
        ? before.correctedByRaw(size, rawSeries, rawKept, rawCells, rawPoints)
        : before.corrected(size, rollupValues, keptValues, rawCells, rawPoints);
  }

  private static TimeRanges rolledUp(List<QueryPlan.Scan> scans) {
    TimeRanges ranges = TimeRanges.none();
    for (QueryPlan.Scan scan : scans) {
      if (scan.table() != null) {
        ranges = ranges.plus(scan.ranges());
      }
    }
    return ranges;
  }

  private int buckets() {
    return buckets(schema);
  }

  /** Scanners that a scan needs. */
  static int buckets(StorageSchema schema) {
    return schema.saltWidth() == 0 ? 1 : schema.saltBuckets();
  }

  private void scanRaw(QueryPlan.Scan scan) {
    for (int bucket = 0; bucket < buckets(); bucket++) {
      int salt = bucket;
      add(
          Kind.RAW,
          shared.counts.raw(rawReason),
          () -> rawScanner(scan.from(), scan.to(), salt, rowFilter),
          PieceScan.Wait::always,
          rawRows(scan.ranges()));
    }
  }

  /** Annotations of a series are in the rows of its points, whose other cells are left out. */
  private void scanAnnotations(TimeRanges rollups) {
    List<ScanFilter> all = new ArrayList<>();
    if (rowFilter != null) {
      all.add(rowFilter);
    }
    // It seeks to its first column, and from its end to the next row.
    all.add(new ColumnRangeFilter(FIRST_ANNOTATION, true, AFTER_ANNOTATIONS, false));
    // In UTF-8 not every byte would be a character.
    all.add(
        new QualifierFilter(
            CompareOp.EQUAL,
            new RegexStringComparator("(?s)^.(?:.{2}|.{4})$", StandardCharsets.ISO_8859_1)));
    ScanFilter filter = new FilterList(all);
    for (int bucket = 0; bucket < buckets(); bucket++) {
      int salt = bucket;
      add(
          Kind.ANNOTATIONS,
          shared.counts.raw(RawReason.Kind.BESIDE_ROLLUPS),
          () -> rawScanner(rollups.from(0), rollups.to(rollups.size() - 1), salt, filter),
          PieceScan.Wait::always,
          new AnnotationRows(schema, rollups));
    }
  }

  private Scanner rawScanner(long from, long to, int bucket, @Nullable ScanFilter filter) {
    long first = Math.floorDiv(from, 1000L);
    long last = Math.floorDiv(to - 1, 1000L);
    Scanner scanner =
        scanner(
            tsdb.dataTable(),
            bucket,
            first - first % RowKey.ROW_SPAN_SECONDS,
            last - last % RowKey.ROW_SPAN_SECONDS,
            filter);
    if (tsdb.getConfig().use_otsdb_timestamp()) {
      // As TsdbQuery: the cells carry the time of their points.
      long scanStart = query.scanStart() * 1000;
      if (tsdb.getConfig().get_date_tiered_compaction_start() <= scanStart) {
        scanner.setTimeRange(scanStart, query.scanEnd() * 1000);
      }
    }
    return scanner;
  }

  private void scanRollups(QueryPlan.Scan scan, QueryPlan.Table table) {
    RollupInterval interval = shared.tables.interval(table.interval());
    boolean packed = Level.isPacked(table.interval());
    ScanFilter ofCells = cells(packed);
    ScanFilter filter =
        rowFilter == null ? ofCells : new FilterList(Arrays.asList(rowFilter, ofCells));
    String tableName = Objects.requireNonNull(shared.tables.table(table.interval()));
    byte[] name = Bytes.UTF8(tableName);
    for (int bucket = 0; bucket < buckets(); bucket++) {
      int salt = bucket;
      add(
          packed ? Kind.PACKED : Kind.ROLLUPS,
          shared.counts.rollups(packed ? table.interval() : interval.interval()),
          () -> {
            Scanner scanner =
                scanner(
                    name,
                    salt,
                    baseTime(interval, Math.floorDiv(scan.from(), 1000L)),
                    baseTime(interval, Math.floorDiv(scan.to() - 1, 1000L)),
                    filter);
            if (packed) {
              scanner.setMaxNumRows(PACKED_ROWS * tsdb.getConfig().scanner_maxNumRows());
            }
            return scanner;
          },
          packed
              ? shared.unreadable.wait(tsdb.getTimer(), table.interval(), tableName)
              : PieceScan.Wait::always,
          rollupRows(interval, packed, scan.ranges()));
      long rollups = (scan.to() - scan.from()) / table.width();
      slots.put(kinds.size() - 1, (int) Math.min(rollups, interval.intervalsPerRow()));
    }
  }

  /**
   * @param first base time of the first row, seconds
   * @param last base time of the last row, seconds
   */
  private Scanner scanner(
      byte[] table, int bucket, long first, long last, @Nullable ScanFilter filter) {
    Scanner scanner = tsdb.getClient().newScanner(table);
    scanner.setFamily(TSDB.FAMILY());
    scanner.setStartKey(prefix(bucket, first));
    scanner.setStopKey(prefix(bucket, last + 1));
    scanner.setMaxNumRows(tsdb.getConfig().scanner_maxNumRows());
    // A row comes in one piece, however many cells it has.
    scanner.setMaxNumKeyValues(-1);
    if (filter != null) {
      scanner.setFilter(filter);
    }
    return scanner;
  }

  private byte[] prefix(int bucket, long time) {
    byte[] salt = keys.bucket(bucket);
    byte[] metric = query.metric();
    byte[] prefix = new byte[salt.length + metric.length + RowKey.TIME_WIDTH];
    System.arraycopy(salt, 0, prefix, 0, salt.length);
    System.arraycopy(metric, 0, prefix, salt.length, metric.length);
    Bytes.setInt(prefix, (int) Math.min(time, MAX_TIME), salt.length + metric.length);
    return prefix;
  }

  private void add(
      Kind kind,
      LongAdder counter,
      Supplier<Scanner> scanner,
      PieceScan.Wait wait,
      RowReader rows) {
    kinds.add(kind);
    scans.add(new PieceScan(scanner, wait, rows, counter, reading));
  }

  private List<S> answer(List<Map<ByteBuffer, ScannedSeries>> results) {
    for (int i = 0; i < scans.size(); i++) {
      double values = values(results.get(i));
      if (kinds.get(i) == Kind.ROLLUPS) {
        rollupValues += scans.get(i).cells();
        keptValues += values * cellsOfRollup();
      } else if (kinds.get(i) == Kind.PACKED) {
        // Dropped rows are not decoded: they are like those that are kept, or else full.
        ScanStats stats = scans.get(i).stats();
        double ofRow = stats.keptRows() == 0 ? slots.get(i) : values / stats.keptRows();
        rollupValues += stats.rows() * ofRow * cellsOfRollup();
        keptValues += values * cellsOfRollup();
      } else if (kinds.get(i) == Kind.RAW) {
        rawSeries += results.get(i).size();
        rawKept += kept(results.get(i));
        rawCells += scans.get(i).cells();
        rawPoints += values;
      }
    }
    Map<ByteBuffer, List<ScannedSeries>> parts = new HashMap<>();
    for (Map<ByteBuffer, ScannedSeries> found : results) {
      for (Map.Entry<ByteBuffer, ScannedSeries> each : found.entrySet()) {
        ScannedSeries part = each.getValue();
        if (part.isKept() && (part.values() > 0 || !part.annotations().isEmpty())) {
          parts.computeIfAbsent(each.getKey(), tsuid -> new ArrayList<>()).add(part);
        }
      }
    }
    // What is merged need not be held twice.
    results.clear();
    return chain(parts.values());
  }

  private static int kept(Map<ByteBuffer, ScannedSeries> found) {
    int kept = 0;
    for (ScannedSeries series : found.values()) {
      kept += series.isKept() ? 1 : 0;
    }
    return kept;
  }

  private static double values(Map<ByteBuffer, ScannedSeries> found) {
    double values = 0;
    for (ScannedSeries series : found.values()) {
      values += series.values();
    }
    return values;
  }

  /** Decodes rows of raw data. */
  abstract RowReader rawRows(TimeRanges pieces);

  /** Decodes rows of a table of rollups, a plain or packed one. */
  abstract RowReader rollupRows(RollupInterval interval, boolean packed, TimeRanges pieces);

  /** The cells of such a table that are read. */
  abstract ScanFilter cells(boolean packed);

  /** How many of plain tables they are of each rollup. */
  abstract int cellsOfRollup();

  /** The base time of the row of a rollup, seconds. */
  abstract long baseTime(RollupInterval interval, long seconds);

  /** The series, of each its parts from all scans. */
  abstract List<S> chain(Collection<List<ScannedSeries>> parts);
}
